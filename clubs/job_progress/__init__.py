"""The page that shows a background job's progress and can cancel it."""
