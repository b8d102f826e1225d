"""Every address of the application: how it may be asked for, and by whom. `test_routes` holds it against the truth."""

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


class Route(NamedTuple):
    """The methods an address takes, and who passes."""

    methods: frozenset[str]
    who: frozenset[str]


def _routes(methods: frozenset[str], who: frozenset[str], names: str) -> dict[str, Route]:
    return {name: Route(methods, who) for name in names.split()}


ROUTES: dict[str, Route] = {
    **_routes(
        READ,
        EVERYONE,
        """home club calendar colours logo design calendar_feed series help_systems help_system personal personal_story
        personal_calendar me manifest service_worker offline""",
    ),
    **_routes(READ, EVERYONE, "healthz readyz metrics security_txt robots_txt sitemap club_frame"),
    **_routes(FORM, EVERYONE, "reminders_stop wall"),
    **_routes(FORM, EVERYONE, "personal_messages told_way told_stop told_confirm told_cannot"),
    **_routes(
        DO,
        EVERYONE,
        """look set_language me_forget personal_check_in personal_bye personal_result personal_claim
        personal_device""",
    ),
    # For programs the same for everyone: what is not public is not there for its own people either.
    **_routes(
        READ,
        EVERYONE,
        """api_root api_description api_clubs api_club api_events api_event api_players api_player api_round
        api_standings api_workings api_nothing""",
    ),
    # Signing in, and one's own log-in.
    **_routes(
        FORM,
        EVERYONE,
        """account_login account_logout account_signup account_reset_password account_reset_password_from_key
        mfa_authenticate mfa_login_webauthn join set_up club_ask""",
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
        """own_log_in account_email account_change_password account_set_password account_reauthenticate kept_posts
        mfa_reauthenticate mfa_activate_totp mfa_deactivate_totp mfa_generate_recovery_codes usersessions_list
        mfa_reauthenticate_webauthn mfa_add_webauthn mfa_remove_webauthn""",
    ),
    **_routes(READ, SIGNED_IN, "mfa_index mfa_list_webauthn mfa_view_recovery_codes mfa_download_recovery_codes"),
    # The server, and a club's own house.
    **_routes(READ, NOBODY, "server_clubs backups backup_file"),
    **_routes(FORM, NOBODY, "club_new demo_load"),
    **_routes(DO, NOBODY, "club_request_answer demo_remove backup_make"),
    **_routes(READ, SECRETARY, "arrived invitation invitation_code"),
    **_routes(FORM, SECRETARY, "club_settings club_people club_web_site"),
    **_routes(DO, SECRETARY, "role_give role_take invitation_withdraw"),
    # Events, as far as they are public.
    **_routes(
        READ,
        READERS,
        """tournament entries latest_round round_code round current_pairing board standings standings_after crosstable
        working player hall print_centre print_pairings print_seating print_starting_list print_standings
        round_map round_replay player_path print_crosstable print_wall_chart print_averages standings_clubs prizes
        print_prizes
        schedule print_schedule print_regulations print_clubs print_federations print_categories""",
    ),
    **_routes(FORM, READERS, "event_me"),
    **_routes(READ, SHARED, "event_frame table_picture table_picture_after round_picture board_picture"),
    **_routes(READ, READERS, "my_board event_story"),
    # Running events.
    **_routes(
        READ,
        ARBITERS,
        """reports_of_month ratings_of_month_export tournament_log tournament_log_file trf_export
        event_files event_table event_folder round_file club_files
        event_take_along round_edit round_edit_done round_compare print_cards print_slips print_round
        print_attendance print_place_cards print_badges event_checked
        print_pack print_blank_slips print_blank_pairings print_score_sheet print_registration print_door_poster
        print_hall_signs
        print_norms print_report
        print_diplomas print_table_numbers print_record attendance rating_lists rating_list_import wall_code
        wall_code_picture proposal what_if_result emergency personal_links link_picture round_again no_round
        deleted_events""",
    ),
    **_routes(
        FORM,
        ARBITERS,
        """event_report tournament_new tournament_import event_bring_in tournament_edit evenings entries_add
        entries_choose entries_paste entries_import entry_edit forbidden_pairs series_new series_edit prizes_edit
        check_in check_in_close round_trial what_if tournament_delete tournament_system links_for_all""",
    ),
    **_routes(
        DO,
        ARBITERS,
        """entry_first_round entry_withdraw entry_return entry_remove print_now print_not_hung
        forbidden_pair_remove round_pair round_publish
        round_discard round_unpublish round_finish round_reopen round_final round_edit_begin round_change
        round_edit_end round_undo round_redo round_restore round_results board_result lots_draw lots_draw_again
        prizes_publish check_in_open check_in_everybody check_in_take_back absent_withdraw proposal_adopt
        proposal_discard link_renew schedule_draw
        groups_keep_apart group_may_meet round_again_all board_again round_keys
        hall_message no_round_decide no_round_by_hand tournament_again deleted_restore""",
    ),
    # The club's book.
    **_routes(READ, MEMBERS, "club_ratings member_ratings ratings_of_month print_ratings print_series print_year_book"),
    **_routes(READ, ONESELF, "own_page own_data"),
    **_routes(DO, ONESELF, "own_reminders"),
    **_routes(FORM, ONESELF, "own_edit"),
    **_routes(
        READ,
        OFFICERS,
        "statistics statistics_export members guests member club_print_centre print_members print_printer_test"
        " print_statistics job",
    ),
    **_routes(DO, OFFICERS, "saved_view_add saved_view_remove guest_night job_cancel print_now_of_club"),
    **_routes(READ, SECRETARY, "viewings members_export duplicates member_data kept_too_long club_logo"),
    **_routes(
        FORM,
        SECRETARY,
        """member_new member_edit member_from_list member_erase member_initials merge groups members_import
        rating_method rating_list_new register_new register_edit register_fetch rating_changes
        paper_settings listed_is_member""",
    ),
    **_routes(DO, SECRETARY, "club_birthdays guest_join"),
    # Its money.
    **_routes(
        READ,
        AUDITORS,
        """dues season ledger_export account overdue print_dues bank books books_entry books_account voucher
        books_year books_export print_books print_journal print_account""",
    ),
    **_routes(READ, PAYER, "receipt print_receipt"),
    **_routes(
        FORM,
        TREASURER,
        """money_settings season_new season_edit entry_take_back bank_import books_entry_new
        books_account_new books_budget reminder_words mandate_edit collection_new bank_line_split membership_edit""",
    ),
    **_routes(READ, TREASURER, "print_reminders debits collection collection_file"),
    **_routes(
        DO,
        TREASURER,
        """season_charge season_lower mandate_end collection_book collection_take_back
        payment_add charge_add refund_add waiver_add overdue_remind overdue_handed_out bank_book_certain bank_line_book
        bank_line_aside books_entry_take_back voucher_add books_year_close books_account_edit books_opening
        bank_balance_add bank_line_whole guest_fee""",
    ),
}
"""By the name of the address. A new address is entered here by whoever makes it."""

NOT_FOUND_BY_OTHERS = frozenset(
    {"own_page", "own_data", "own_edit", "own_reminders", "receipt", "print_receipt", "job", "job_cancel"}
)
"""Of these even people of the club do not learn that they are there, unless they concern them."""

ALLAUTHS = frozenset(name for name in ROUTES if name.startswith(("account_", "mfa_", "usersessions_")))
"""Pages of the library: which methods they answer is its own affair."""
