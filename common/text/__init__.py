"""Text for people, money and dates: names sorted and searched, amounts, birth dates.

Others use: `amounts`, `colours`, `birth_dates`, `day_field`, `name_order`, `name_search`, `payment_references`,
`reserved_slugs`, `ibans`, `months`, `rating_text`, `secret_files`, `confirmation_form`, `latin_letters`, `qr_codes`,
`plain_names`, `placeholders`, `day_ranges`.
"""
