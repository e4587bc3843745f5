"""A class: its hand-ins taken in, judged, marked by the course's rules, and handed back."""
