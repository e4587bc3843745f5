"""The programs of Warpbook, for a workbook's ./warpbook; and the command `warpbook`, which starts that."""
