"""Files passed between processes, for machines that share only the database."""

from __future__ import annotations

from django.db import models


class StoredFile(models.Model):
    """A file of `common.file_store.stores`. It is complete once its row is visible. Backups leave it out."""

    store = models.CharField(max_length=20)
    name = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField()
    used_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["store", "name"], name="working_file_once")]

    def __str__(self) -> str:
        return f"{self.store}/{self.name}"


class StoredFileChunk(models.Model):
    """A chunk of a file, numbered from 0. All but the last have the same length."""

    file = models.ForeignKey(StoredFile, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["file", "number"], name="working_piece_once")]

    def __str__(self) -> str:
        return f"{self.file}, {self.number}"
