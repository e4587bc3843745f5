"""The code behind ./warpbook: set-up, builds, grading, tables and plots."""
