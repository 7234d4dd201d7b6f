"""The tests that `make nightly` runs and `make test` leaves out: endurance, benches, whole jobs,
and further rows of tests of which `make test` runs others.

A line is the beginning of a test's id below ``tests``, or a console in brackets, whose core takes
seconds for what others show in a fraction of one."""

from __future__ import annotations

import os

_SAME_CORE = ("GameBoy", "GameGear", "Sms")
"""Consoles whose core another one of ``_CONSOLES``, or the Genesis, has as well."""
_CONSOLES = (
    *("Atari2600", "GameBoy", "GameGear", "GbAdvance"),
    *("GbColor", "PCEngine", "Sms", "Snes"),
)
NIGHTLY = (
    "assistant/test_tools.py::test_random_calls_end_in_typed_errors_and_leave_the_session_usable[whole]",
    # Servers of their own: each client is tried alone, and as one that dies, in `make test`.
    "assistant/test_tools.py::test_two_clients_work_at_once",
    "assistant/test_whole_job.py",
    # Six seconds of play, and a game that cannot be integrated, are tried in `make test`.
    "agents/test_unattended.py::test_airstriker",
    "agents/test_unattended.py::test_each_part_has_its_evidence",
    "agents/test_unattended.py::test_the_demo_game_pays_and_ends",
    "agents/test_attack.py::test_an_attack_from_the_window",
    "agents/test_unattended.py::test_an_update",
    # Six seconds of play begin after START, too.
    "agents/test_unattended.py::test_control_begins_after_start_is_pressed",
    "agents/test_unattended.py::test_another_rom",
    # Rules that find no trap in such a twin are in tests/unit/audit.
    "agents/test_attack.py::test_an_attack_finds_a_loop_that_farms_and_leaves_its_twin_alone[1.0-",
    # By Ctrl+C and by SIGKILL in `make test`.
    "agents/test_agents_faults.py::test_nothing_is_left_of_agents_that_are_ended[15]",
    # With fewer and with more skipped frames in `make test`.
    *(
        f"env/test_ahead.py::test_no_frame_is_run_after_the_end_of_an_episode[{options}-4]"
        for options in ("trained", "whole")
    ),
    # The error of such a core is tried in tests/agents by day.
    "env/test_isolated.py::test_a_core_that_ends_truncates_its_episode[hog_at",
    "env/test_env_faults.py::test_after_an_interrupt_a_reset_puts_all_right[whole]",
    # Other pages are run in `make test`.
    *(
        f"book/test_examples.py::test_the_examples_of_a_page_run[{page}"
        for page in (
            *("first-hour/3-by-script", "how-to/1-cores", "how-to/2-movies"),
            *("how-to/3-headless", "research"),
        )
    ),
    # The whole book is built in `make test`, and words of pictures are looked for without a build.
    "book/test_build.py::test_each_fault_in_a_page_ends_the_build",
    # That all pictures are named by the script is tried in `make test`.
    "book/test_pictures.py::test_a_picture_is_taken",
    # The longest examples; the others of their page are run in `make test`.
    *(
        f"env/test_training_docs.py::test_an_example_runs[{name}"
        for name in ("Go-Explore", "Monte-Carlo")
    ),
    # From its other state in `make test`.
    "golden/test_demo_game.py::test_random_play_scores_and_ends[Level2",
    # A processor of ours, for a console without a core.
    "golden/test_dreamcast_program.py",
    "host/test_bad_content.py",
    # Small cores draw by each kind of context in `make test`.
    "host/test_gl.py::test_real_cores_draw_and_restore[",
    "host/test_other_systems.py",
    # The toy core makes them in `make test`, and real cores travel in tests/session/timeline.
    *(
        f"host/test_session_travel.py::test_{name}[{row}]"
        for name in (
            "every_line_is_what_its_inputs_give_from_the_start",
            "lines_with_pokes_resets_and_states_are_shown_as_they_were",
        )
        for row in ("fceumm", "genesis_plus_gx")
    ),
    "host/test_remote_lifetime.py::test_thirty_rounds_leave_nothing_open",
    "interop/test_documents_retro.py::test_every_shipped_state_unpacks",
    # Of the N64 and the Saturn: slow consoles, as below.
    "interop/test_axes_of_cores.py::test_the_stick_of_the_n64",
    "interop/test_discs_of_saturn.py",
    # Sessions on every core, below, compare the pictures of an agent's view.
    *(
        f"interop/test_env_upstream.py::test_every_observation_is_the_same[{console}-"
        for console in _CONSOLES
    ),
    # Vectors of three consoles in `make test`, and each core's sessions.
    *(
        f"interop/test_env_vector.py::test_emulators_in_threads_equal_single_ones[{console}]"
        for console in _CONSOLES
        if console != "Snes"
    ),
    # Another console of their core, and RAM in movies of each console, are compared in `make test`.
    *(
        f"interop/test_every_system.py::test_ram_equals_stable_retro{way}[{console}]"
        for way in ("", "_from_power_on")
        for console in _SAME_CORE
    ),
    # Movies of each console, these games' too, are played both ways by test_movie_every_system.py.
    *(
        f"interop/test_movie_playback.py::test_{name}["
        for name in (
            "our_recording_from_the_middle_plays_there",
            "our_recording_of_an_episode_plays_there",
            "their_recording_plays_here",
        )
    ),
    # Ember Moth's replay is compared in `make test`.
    "interop/test_movie_playback.py::test_a_replay_of_our_own_has_the_same_ram[Airstriker]",
    "interop/test_play_cluster.py",
    # Its steps are compared by test_session_upstream.py, RAM too.
    "interop/test_ram_equals_upstream.py::test_airstriker",
    "interop/test_search_judge.py",
    # Airstriker plays them in `make test`.
    *(
        f"interop/test_session_upstream.py::test_every_step_is_the_same[{game}-{scenario}-"
        for game in ("Atari2600", "EmberMoth", "Nes")
        for scenario in ("actions", "hooks", "scripted")
    ),
    # Another console of their core, Ember Moth of the NES, and Airstriker of the Genesis play it.
    *(
        f"interop/test_session_upstream.py::test_every_step_is_the_same[{console}-scenario-2p-"
        for console in (*_SAME_CORE, "Genesis", "Nes")
    ),
    # The demo game's thousand steps are compared by the test of verifications.
    "interop/test_steps_upstream.py",
    # Traps of the other kinds, without a game, are in tests/unit/audit.
    *(
        f"session/commands/test_audit.py::test_a_planted_trap_is_found_in_movies[{kind}"
        for kind in ("done-missed", "repaid")
    ),
    "session/commands/test_audit.py::test_the_honest_game_has_no_trap_but_remarks_about_two_buttons",
    # A core is loaded, and a module run, from such a folder in `make test`.
    "session/commands/test_child_processes.py::test_integrations_are_checked_in_a_foreign_folder",
    "session/commands/test_bench_play.py",
    "session/commands/test_bench_search.py",
    "session/commands/test_bench_timeline.py",
    # CI also runs it as a user does, after the tests.
    "session/commands/test_cli.py::test_the_demo_does_the_whole_job",
    # Standard output is closed in `make test`.
    "session/commands/test_cli.py::test_a_closed_stream_is_no_traceback[2>&-]",
    # A crash, and the other format, in `make test`.
    *(
        f"session/commands/test_dataset.py::test_a_core_that_dies_is_one_line[{fault}"
        for fault in ("minari-exit_at", "npz-hang_at")
    ),
    "session/commands/test_dataset.py::test_an_interrupted_dataset_leaves_nothing_half_written[npz]",
    # Of the 32X, a slow console; the rule without a core is in tests/unit/frames.
    "session/library/checks/test_checking.py::test_a_game_that_draws_less_than_agents_get",
    # An audit is interrupted in `make test`.
    "session/commands/test_interrupted.py::test_ctrl_c_while_workers_start_is_one_line[agents",
    # By Ctrl+C in `make test`.
    "session/commands/test_play.py::test_interrupting_ends_all_processes_and_leaves_no_half_file[SIGTERM]",
    # After 300 bytes in `make test`.
    *(
        "session/journal/test_journal.py::test_a_full_disk_is_told_once_and_the_journal_goes_on_"
        f"when_there_is_space[{room}]"
        for room in (0, 1, 1000)
    ),
    # Its finding is in a verification of `make test`.
    "session/library/checks/test_core_findings.py::test_states_that_do_not_go_on_as_it_was_played[GbAdvance-",
    # One that differs in RAM, or is stopped later, in `make test`.
    *(
        f"session/library/checks/test_verification.py::test_{name}]"
        for name in (
            "a_byte_or_a_pixel_that_differs_is_named[picture",
            "a_stopped_verification_says_so[0",
        )
    ),
    # The RAM of each proof ROM is compared with stable-retro's, and with what was recorded.
    *(
        f"session/library/consoles/test_console_check.py::test_the_console_is_proven[{console}]"
        for console in (
            *("Atari2600", "GameBoy", "GameGear", "GbAdvance", "GbColor"),
            *("Genesis", "Nes", "PCEngine", "Sms"),
        )
    ),
    # Four copies of seven.
    *(
        f"session/proof/test_proof.py::test_copies_are_told_from_what_they_follow[{copy}]"
        for copy in (
            *("tiles of the clock", "tiles of the high score"),
            *("tiles of the embers to catch", "the tile of lives, one more than lives"),
        )
    ),
    *(
        f"session/proof/test_redraws.py::test_digits_lead_to_their_bytes[rectangle{number}"
        for number in (1, 2)
    ),
    # One edit of three, one rule of two, and an edit on the newest frame.
    *(
        "session/scoring/test_recorded.py::test_an_edit_scores_as_if_it_had_been_there_from_the_"
        f"beginning[{edit}"
        for edit in ("add_variable", "move_score")
    ),
    "session/scoring/test_recorded_scripts.py::test_rewards_of_frames_whose_memory_a_script_wrote[absolute]",
    "session/scoring/test_recorded_scripts.py::test_a_script_s_own_variables_go_on_as_they_were_written[True]",
    # A bar without a core is in tests/unit/suggest/test_pointing.py.
    "session/suggestions/test_icons.py::test_a_box_round_icons_or_a_bar_names_the_number[box1",
    # One box of four, and one number of three, which is explained in words.
    *(
        f"session/suggestions/test_suggesting.py::test_{row}]"
        for row in (
            "a_box_may_be_a_few_pixels_off[shifted",
            "a_box_may_be_a_few_pixels_off[with the lower part of the label",
            "a_box_may_be_a_few_pixels_off[cut on all sides",
            "a_box_is_explained_in_words[high score",
            "a_box_is_explained_in_words[time",
            "pointing_at_a_number_finds_it[high score",
            "pointing_at_a_number_finds_it[time",
            "pointing_at_a_number_finds_it[score",
        )
    ),
    "session/test_campaign.py",
    # The demo game goes the same ways; random moves on this core are in tests/host.
    "session/journal/test_journal.py::test_after_a_kill_play_goes_on_at_the_last_frame[Airstriker]",
    *(
        f"session/timeline/test_recorded_movies.py::test_a_range_is_exported_with_its_state[{row}]"
        for row in ("Airstriker-1", "Airstriker-2", "Airstriker-120")
    ),
    *(
        f"session/timeline/test_recorded_movies.py::test_{name}[Airstriker]"
        for name in (
            "a_chunk_is_recorded_with_hashes",
            "a_movie_is_recorded_anew_from_its_middle",
            "an_import_puts_the_whole_movie_on_the_timeline",
        )
    ),
    *(
        f"session/timeline/test_travel.py::test_{name}[Airstriker]"
        for name in (
            "a_recording_goes_back_with_the_player",
            "going_back_over_a_long_way_without_states_is_run_ahead_too",
            "holding_rewind_goes_back_and_play_goes_on_as_a_branch",
            "no_step_back_has_a_whole_group_of_frames_to_run",
            "seeking_in_a_movie_that_plays_goes_on_with_its_rows",
            "stepping_back_and_forth_shows_each_frame_as_it_was",
            "stepping_goes_over_resets_states_and_pokes",
        )
    ),
    "session/timeline/test_recorded_rows.py::test_ten_edits_of_a_long_line_share_all_that_was_recorded",
    # Conditions go with their line in `make test`.
    "ui/find/ends/test_ends_panel.py::test_proposed_ends_stay_with_their_line",
    "ui/find/ends/test_ends_panel.py::test_conditions_of_a_line_that_the_panel_does_not_know_yet[True]",
    # By each frame in `make test`.
    "ui/find/search/test_search_desk.py::test_rules_follow_the_game[press]",
    # Without a window in tests/session/suggestions, tests/session/proof and tests/session/library.
    "ui/find/suggestions/test_suggestions.py::test_a_box_round_a_number_names_it",
    "ui/find/test_proof_controller.py::test_a_place_that_never_changes_is_told",
    "ui/shell/bars/test_verifier.py::test_a_verification_can_be_stopped",
    "ui/find/suggestions/test_suggestions.py::test_the_best_of_a_kind_is_proven_by_itself",
    # Run to their ends, and after one that cannot be read, in `make test`.
    "ui/review/movies/test_movies_view.py::test_movies_are_played_one_after_the_other",
    # Stopped scoring, without a window in tests/session/scoring.
    "ui/review/test_plots_view.py::test_after_a_stop_no_sum_mixes",
    "ui/score/test_one_truth.py::test_slow_scripts_show_progress_and_can_be_stopped",
    "ui/score/test_what_if_view.py::test_a_stop_between_two_slices_ends_the_scoring",
    # While the window, or the game, is closed in `make test`.
    "ui/review/movies/test_movies_compared.py::test_the_cores_of_a_pair_in_the_making_end_with_dialog_and_game[dialog",
    # The window itself in `make test`.
    "ui/whole/test_translations.py::test_the_dialogs_speak_another_language",
    # Without a real window in tests/ui/shell/test_main_window.py.
    "ui/whole/test_real_window.py::test_a_killed_core_is_replaced_while_the_window_plays",
    "ui/whole/test_real_window.py::test_another_window_lives_on_its_own",
    "ui/whole/test_real_window.py::test_dragging_the_slider_shows_the_past",
    "ui/whole/test_real_window.py::test_record_what_the_keyboard_plays",
    "ui/whole/test_screen_reader_bus.py",
    "ui/whole/test_screen_sizes.py",
    "ui/whole/test_soak.py",
    "ui/whole/test_two_minutes.py",
    "ui/whole/test_whole_job_games.py",
    "ui/whole/test_whole_job_panels.py",
    "ui/whole/test_whole_job_time.py",
    "ui/whole/test_whole_job_what_if.py",
    "ui/whole/test_window_bench.py",
    # `make check` types code for other systems, and names that hinder them have owners.
    "unit/test_portable.py::test_every_module_is_imported_where_unix_is_missing",
    # Few changes in long lists, and many in short ones.
    *(
        f"unit/sweep/test_kernel.py::test_every_type_agrees_with_plain_numpy[{rows}-"
        for rows in ("False-0.002", "True-0.4")
    ),
    # `make check` types the same code with mypy, and pyright stays.
    "unit/test_types.py::test_type_checkers_tell_right_from_wrong[mypy",
    "unit/test_wheel.py",
)
SLOW_CONSOLES = ("N64", "NintendoDs", "32x", "Saturn")


def is_nightly(test_id: str) -> bool:
    """True for the id of a test that `make test` leaves out, such as ``tests/a.py::test_b[c]``."""
    inner = test_id.removeprefix("tests/")
    parameters = inner.partition("[")[2].rstrip("]").split("-")
    return inner.startswith(NIGHTLY) or not set(SLOW_CONSOLES).isdisjoint(parameters)


def more_by_night(by_day: int, by_night: int) -> int:
    """The amount of work in a test: ``by_day`` in `make test`, ``by_night`` in `make nightly`."""
    return by_night if os.environ.get("INTEGRATOR_EXPLORE") else by_day
