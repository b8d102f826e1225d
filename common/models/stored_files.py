"""Files on their way from one process to another, where several machines share nothing but the database."""

from __future__ import annotations

from django.db import models


class StoredFile(models.Model):
    """A file of `common.file_store.stores`; whole as soon as its row is there. No backup holds it."""

    store = models.CharField(max_length=20)
    name = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField()
    used_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["store", "name"], name="working_file_once")]

    def __str__(self) -> str:
        return f"{self.store}/{self.name}"


class StoredFileChunk(models.Model):
    """So many bytes of a file, the first piece numbered 0; all but the last are of the same length."""

    file = models.ForeignKey(StoredFile, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["file", "number"], name="working_piece_once")]

    def __str__(self) -> str:
        return f"{self.file}, {self.number}"
