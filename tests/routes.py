"""Every URL of the application: its methods, and who can request it. `test_routes` checks the list."""

from __future__ import annotations

from typing import NamedTuple

STRANGERS = frozenset({"visitor", "outsider", "neighbour"})
"""People who have no role in the club: nobody signed in, somebody of no club, the secretary of another one."""
MEMBERS = frozenset({"member", "arbiter", "treasurer", "secretary"})
EVERYONE = STRANGERS | MEMBERS
SIGNED_IN = EVERYONE - {"visitor"}
NOBODY: frozenset[str] = frozenset()
"""Of these people: the server's administrator alone."""
READERS = EVERYONE | {"reader of public events"}
"""Everyone while the event is public, and its club alone while it is not."""
SHARED = EVERYONE | {"stranger"}
"""Everyone while the event is public, and nobody at all while it is not: what goes out into the world."""
OFFICERS = frozenset({"arbiter", "treasurer", "secretary"})
ARBITERS = frozenset({"arbiter", "secretary"})
AUDITORS = frozenset({"treasurer", "secretary"})
TREASURER = frozenset({"treasurer"})
SECRETARY = frozenset({"secretary"})
ONESELF = frozenset({"member"})
"""Whoever of the club's book it is about: among the people of the tests the member alone stands in it."""
PAYER = AUDITORS | ONESELF

READ, DO, FORM = frozenset({"GET"}), frozenset({"POST"}), frozenset({"GET", "POST"})
PUT = frozenset({"PUT"})


class Route(NamedTuple):
    """The methods of a URL, and who can use it."""

    methods: frozenset[str]
    who: frozenset[str]


def _routes(methods: frozenset[str], who: frozenset[str], names: str) -> dict[str, Route]:
    return {name: Route(methods, who) for name in names.split()}


ROUTES: dict[str, Route] = {
    **_routes(
        READ,
        EVERYONE,
        """home club club_calendar club_colours_css club_logo_image styleguide calendar_feed series_page
        pairing_help_list pairing_help_page personal personal_history personal_calendar my_page web_app_manifest
        service_worker offline_page""",
    ),
    **_routes(READ, EVERYONE, "healthz readyz metrics security_txt robots_txt sitemap club_embed"),
    **_routes(FORM, EVERYONE, "reminders_unsubscribe self_check_in"),
    **_routes(
        FORM,
        EVERYONE,
        "personal_notifications notification_channel_edit notification_channel_stop "
        "notification_channel_confirm evening_answer",
    ),
    **_routes(
        DO,
        EVERYONE,
        """colour_scheme_set language_set my_device_forget personal_check_in personal_bye personal_leave personal_result
        personal_account_request personal_device_add""",
    ),
    # For programs, the same for everyone: private data is not available to the club's own people either.
    **_routes(
        READ,
        EVERYONE,
        """api_root api_description api_clubs api_club api_events api_event api_players api_player api_round
        api_standings api_workings api_crosstable api_prizes api_calendar api_nothing""",
    ),
    # Open without a session, and refused without a token.
    **_routes(FORM, EVERYONE, "api_entries"),
    **_routes(DO, EVERYONE, "api_entry_withdraw api_entry_return"),
    **_routes(PUT, EVERYONE, "api_presence api_result"),
    # Signing in, and the user's own account.
    **_routes(
        FORM,
        EVERYONE,
        """account_login account_logout account_signup account_reset_password account_reset_password_from_key
        mfa_authenticate mfa_login_webauthn invitation_accept server_set_up club_request_new""",
    ),
    **_routes(
        READ,
        EVERYONE,
        """account_inactive account_email_verification_sent account_reset_password_done
        account_reset_password_from_key_done""",
    ),
    **_routes(FORM, EVERYONE, "account_confirm_email"),
    **_routes(
        FORM,
        SIGNED_IN,
        """own_account account_email account_change_password account_set_password account_reauthenticate deferred_posts
        mfa_reauthenticate mfa_activate_totp mfa_deactivate_totp mfa_generate_recovery_codes usersessions_list
        mfa_reauthenticate_webauthn mfa_add_webauthn mfa_remove_webauthn""",
    ),
    **_routes(READ, SIGNED_IN, "mfa_index mfa_list_webauthn mfa_view_recovery_codes mfa_download_recovery_codes"),
    # The server and the club itself.
    **_routes(READ, NOBODY, "server_clubs backup_list backup_download"),
    **_routes(FORM, NOBODY, "club_new demo_load club_import"),
    **_routes(DO, NOBODY, "club_request_answer demo_remove backup_make"),
    **_routes(READ, SECRETARY, "club_welcome invitation_detail invitation_qr_code club_export_download"),
    **_routes(FORM, SECRETARY, "club_settings club_roles club_website_settings club_export club_api_tokens"),
    **_routes(FORM, SECRETARY, "webhook_list webhook_detail"),
    **_routes(DO, SECRETARY, "webhook_test webhook_pause webhook_secret_renew webhook_delete"),
    **_routes(DO, SECRETARY, "role_give role_remove invitation_withdraw club_api_token_revoke"),
    # Events, as far as they are public.
    **_routes(
        READ,
        READERS,
        """tournament entries latest_round round_qr_code round pairing_version_status board standings standings_after
        crosstable tie_break_working player hall_screen print_centre print_pairings print_seating print_starting_list
        print_standings round_map round_replay player_progress print_crosstable print_wall_chart print_averages
        club_standings prizes print_prizes
        schedule print_schedule print_regulations print_clubs print_federations print_categories""",
    ),
    **_routes(FORM, READERS, "my_event_page online_entry_form"),
    **_routes(READ, READERS, "online_entry_list"),
    **_routes(
        FORM,
        EVERYONE,
        "online_entry_confirm online_entry_status application_form application_confirm application_status "
        "letters_unsubscribe",
    ),
    **_routes(READ, SECRETARY, "applications_review letter_list"),
    **_routes(FORM, SECRETARY, "application_settings application_refuse letter_new letter_detail"),
    **_routes(DO, SECRETARY, "application_decide"),
    **_routes(READ, SECRETARY, "online_entries_review online_entries_export"),
    **_routes(FORM, SECRETARY, "entry_form_edit"),
    **_routes(DO, SECRETARY, "online_entry_decide"),
    **_routes(
        READ,
        SHARED,
        "event_embed standings_share_image standings_share_image_after round_share_image board_share_image",
    ),
    **_routes(READ, READERS, "my_board my_event_history"),
    # Running events.
    **_routes(
        READ,
        ARBITERS,
        """monthly_fide_reports ratings_of_month_export tournament_log tournament_log_file trf_export
        event_files event_table_export event_static_site round_export club_files
        event_file_export round_edit round_edit_review round_compare print_cards print_slips print_round
        print_number_slips
        print_attendance print_place_cards print_badges event_rules_check
        print_pack print_registration print_door_poster
        print_hall_signs
        print_norms print_report
        print_diplomas print_table_numbers print_record attendance_page rating_list_overview rating_list_import_progress
        check_in_code check_in_code_picture proposal round_what_if_result member_emergency_note personal_links
        personal_link_picture round_results_check no_legal_pairing deleted_event_list""",
    ),
    **_routes(
        FORM,
        ARBITERS,
        """fide_report_check tournament_new tournament_import event_file_import tournament_edit evenings_edit
        entries_add entries_add_members entries_paste entries_import entry_edit forbidden_pairs series_new series_edit
        prizes_edit round_check_in check_in_close proposal_create round_what_if tournament_delete tournament_system_edit
        link_distribution""",
    ),
    **_routes(
        DO,
        ARBITERS,
        """entry_first_round_edit entry_withdraw entry_reinstate entry_remove event_paper_print posted_paper_remove
        forbidden_pair_remove round_pair round_publish
        round_discard round_unpublish round_finish round_reopen round_declare_final round_edit_begin round_edit_apply
        round_edit_end round_undo round_redo round_restore round_results board_result lots_draw lots_draw_again
        prizes_publish check_in_reopen check_in_dues silent_players_remind
        check_in_everybody check_in_everybody_undo absent_players_withdraw proposal_adopt
        proposal_discard personal_link_renew schedule_draw
        forbidden_groups_add forbidden_group_remove round_results_check_all board_result_check result_keys_edit
        hall_message relaxation_adopt empty_draft_start tournament_repeat deleted_event_restore""",
    ),
    # The member list.
    **_routes(READ, MEMBERS, "club_ratings member_ratings ratings_of_month print_ratings print_series print_year_book"),
    **_routes(READ, ONESELF, "own_member_page own_data_download"),
    **_routes(DO, ONESELF, "own_reminders_edit"),
    **_routes(FORM, ONESELF, "own_data_edit"),
    **_routes(
        READ,
        OFFICERS,
        "member_statistics member_statistics_export member_list guest_list member_detail club_print_centre "
        "print_members print_printer_test print_membership_cards print_general_meeting print_statistics job_page",
    ),
    **_routes(DO, OFFICERS, "saved_filter_add saved_filter_remove guest_night_record job_cancel club_paper_print"),
    **_routes(
        READ,
        SECRETARY,
        "data_access_log members_export member_duplicates member_data_download letterhead_logo",
    ),
    **_routes(
        FORM,
        SECRETARY,
        """member_new member_edit member_add_from_rating_list member_erase member_use_initials member_merge
        member_groups members_import rating_method_edit rating_list_upload rating_register_new rating_register_edit
        rating_register_download rating_list_changes letterhead_settings listed_player_link_member expired_data_list""",
    ),
    **_routes(DO, SECRETARY, "club_birthdays_edit guest_join"),
    # Money.
    **_routes(
        READ,
        AUDITORS,
        """dues_overview dues_season_detail ledger_export member_dues_account overdue_dues_list print_dues
        bank_lines_review accounting_overview accounting_entry_detail accounting_account_detail voucher_download
        accounting_year_report accounting_year_export accounting_year_package print_annual_accounts
        print_accounting_journal print_account_sheet print_address_labels print_receipts""",
    ),
    **_routes(READ, PAYER, "receipt_detail print_receipt"),
    **_routes(
        FORM,
        TREASURER,
        """dues_settings dues_season_new dues_season_edit ledger_entry_reverse bank_statement_import
        accounting_entry_new accounting_account_new year_budget_edit reminder_texts_edit mandate_edit
        debit_collection_new bank_line_split membership_dates_edit""",
    ),
    **_routes(
        READ, TREASURER, "print_dues_reminders direct_debit_overview debit_collection_detail debit_collection_file"
    ),
    **_routes(
        DO,
        TREASURER,
        """dues_season_charge dues_season_reduce mandate_end debit_collection_book debit_collection_cancel
        payment_add charge_add refund_add waiver_add overdue_reminders_send paper_reminders_mark_delivered
        bank_lines_book_certain bank_line_book bank_line_ignore accounting_entry_reverse voucher_add
        accounting_year_close accounting_account_edit opening_balance_correct bank_balance_add bank_line_unsplit
        guest_fee_record""",
    ),
}
"""By the name of the address. A new address is entered here by whoever makes it."""

NOT_FOUND_BY_OTHERS = frozenset(
    {
        "own_member_page",
        "own_data_download",
        "own_data_edit",
        "own_reminders_edit",
        "receipt_detail",
        "print_receipt",
        "job_page",
        "job_cancel",
    }
)
"""Of these even people of the club do not learn that they are there, unless they concern them."""

ALLAUTHS = frozenset(name for name in ROUTES if name.startswith(("account_", "mfa_", "usersessions_")))
"""Pages of the library: which methods they answer is its own affair."""
