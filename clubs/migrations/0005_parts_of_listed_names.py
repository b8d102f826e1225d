from django.db import migrations, models

import clubs.models.name_parts


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0004_papers_of_clubs"),
    ]

    operations = [
        migrations.AddField(
            model_name="listedplayer",
            name="searched",
            field=models.CharField(default="", editable=False, max_length=160),
        ),
        # Every row of the old table holds all words of its player's name, a space before each.
        migrations.RunSQL(
            "UPDATE clubs_listedplayer SET searched = COALESCE((SELECT substr(words || ' ', 1, 160) FROM clubs_listedword"
            " WHERE clubs_listedword.player_id = clubs_listedplayer.id LIMIT 1), '')",
            migrations.RunSQL.noop,
        ),
        migrations.DeleteModel(
            name="ListedWord",
        ),
        migrations.AddConstraint(
            model_name="listedplayer",
            constraint=clubs.models.name_parts.FoundByParts(column="searched", name="listed_player_parts"),
        ),
    ]
