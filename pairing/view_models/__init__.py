"""One record for page and paper: sheets, standings, reports and diagrams."""
