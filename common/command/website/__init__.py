"""./warpbook site: the workbook's texts as pages that work from disk and from any web server."""
