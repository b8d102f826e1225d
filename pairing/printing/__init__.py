"""Printing: papers, the PDF they become, and the pages that offer them."""
