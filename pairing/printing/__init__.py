"""Printing: printouts, the PDF they become, and the pages that offer them."""
