CREATE SEQUENCE "public"."security_event_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "alarm_outputs" (
	"name" text PRIMARY KEY,
	"event_seq" bigint NOT NULL,
	"audit_seq" bigint NOT NULL,
	"started_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_sent_at" timestamp(3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp(3) with time zone,
	"next_try_at" timestamp(3) with time zone,
	"problem" text,
	CONSTRAINT "alarm_outputs_name_known" CHECK ("name" IN ('webhook', 'log', 'syslog'))
);
--> statement-breakpoint
CREATE TABLE "alert_choices" (
	"admin_id" bigint,
	"output" text,
	"kind" text,
	"timing" text NOT NULL,
	"told_count" integer,
	"told_at" timestamp(3) with time zone,
	CONSTRAINT "alert_choices_pkey" PRIMARY KEY("admin_id","output","kind"),
	CONSTRAINT "alert_choices_output_known" CHECK ("output" IN ('email', 'chat')),
	CONSTRAINT "alert_choices_timing_known" CHECK ("timing" IN ('at_once', 'digest'))
);
--> statement-breakpoint
CREATE TABLE "alert_recipients" (
	"admin_id" bigint PRIMARY KEY,
	"email" text,
	"waiting_email" text,
	"code_sent_at" timestamp(3) with time zone,
	"code_failures" smallint DEFAULT 0 NOT NULL,
	"chat_url" text,
	"time_zone" text,
	"digest_hour" smallint DEFAULT 8 NOT NULL,
	"digest_on" date,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "alert_recipients_hour" CHECK ("digest_hour" BETWEEN 0 AND 23)
);
--> statement-breakpoint
CREATE TABLE "approval_rules" (
	"action" text PRIMARY KEY,
	"is_on" boolean NOT NULL,
	"from_amount" numeric,
	"currency" text,
	"roles" text[],
	"changed_by" text NOT NULL,
	"changed_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "approval_rules_action_known" CHECK ("action" IN ('mark_order_paid', 'undo_mark_paid', 'cancel_order', 'apply_payment', 'undo_payment', 'approve_kyc', 'reject_kyc', 'reset_kyc', 'ban_user', 'unban_user', 'create_token', 'switch_token', 'set_bank_policy', 'change_operators', 'set_approval_rule')),
	CONSTRAINT "approval_rules_amount_with_currency" CHECK (("from_amount" IS NULL) = ("currency" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "approvals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"action" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"call" text NOT NULL,
	"params" jsonb NOT NULL,
	"body" jsonb,
	"target_version" integer,
	"target_type" text NOT NULL,
	"target_id" text NOT NULL,
	"target_name" text NOT NULL,
	"member_id" text,
	"amount" numeric,
	"currency" text,
	"changes" jsonb NOT NULL,
	"requested_by" bigint NOT NULL,
	"requested_from" text,
	"requested_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"decided_by" bigint,
	"closed_at" timestamp(3) with time zone,
	"comment" text,
	"failure" text,
	"seen_at" timestamp(3) with time zone,
	"erased_at" timestamp(3) with time zone,
	CONSTRAINT "approvals_action_known" CHECK ("action" IN ('mark_order_paid', 'undo_mark_paid', 'cancel_order', 'apply_payment', 'undo_payment', 'approve_kyc', 'reject_kyc', 'reset_kyc', 'ban_user', 'unban_user', 'create_token', 'switch_token', 'set_bank_policy', 'change_operators', 'set_approval_rule')),
	CONSTRAINT "approvals_state_known" CHECK ("state" IN ('open', 'approved', 'declined', 'withdrawn', 'expired', 'failed')),
	CONSTRAINT "approvals_target_known" CHECK ("target_type" IN ('order', 'bank_line', 'user', 'token', 'bank_policy', 'admin', 'approval_rule')),
	CONSTRAINT "approvals_four_eyes" CHECK ("requested_by" <> "decided_by"),
	CONSTRAINT "approvals_decided" CHECK (("decided_by" IS NOT NULL) = ("state" IN ('approved', 'declined', 'failed'))),
	CONSTRAINT "approvals_closed" CHECK (("closed_at" IS NOT NULL) = ("state" <> 'open')),
	CONSTRAINT "approvals_seen" CHECK ("seen_at" IS NULL OR "state" <> 'open')
);
--> statement-breakpoint
CREATE TABLE "admins" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admins_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"password_hash" text,
	"must_change_password" boolean DEFAULT false NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_sign_in_at" timestamp(3) with time zone,
	"break_glass" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp(3) with time zone,
	"last_disabled_at" timestamp(3) with time zone,
	"invited_by" bigint,
	"invitation_approved_by" bigint,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "admins_role_known" CHECK ("role" IN ('viewer', 'reviewer', 'finance', 'super_admin'))
);
--> statement-breakpoint
CREATE TABLE "ended_sessions" (
	"token_hash" bytea PRIMARY KEY,
	"reason" text NOT NULL,
	"ended_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ended_sessions_reason_known" CHECK ("reason" IN ('idle', 'age', 'newer_sessions', 'ended_by_owner', 'ended_by_operator', 'password_changed', 'password_set', 'factors_changed', 'factors_reset', 'role_changed', 'disabled', 'provider_unlinked'))
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"admin_id" bigint,
	"ip_address" text,
	"device_hash" bytea,
	"last_seen_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_devices_pkey" PRIMARY KEY("admin_id","ip_address","device_hash")
);
--> statement-breakpoint
CREATE TABLE "operator_invitations" (
	"admin_id" bigint PRIMARY KEY,
	"code_hash" bytea NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"token_hash" bytea NOT NULL,
	"admin_id" bigint NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_active_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ip_address" text NOT NULL,
	"user_agent" text NOT NULL,
	"authenticated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"authenticated_by" text[] DEFAULT '{password}'::text[] NOT NULL,
	"confirmed_places" text[] DEFAULT '{}'::text[] NOT NULL,
	"reported_places" text[] DEFAULT '{}'::text[] NOT NULL,
	"provider_factor" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_links" (
	"admin_id" bigint PRIMARY KEY,
	"code_hash" bytea NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_throttles" (
	"key" text PRIMARY KEY,
	"failures" integer NOT NULL,
	"window_started_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"locked_until" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "bank_claims" (
	"line_id" bigint PRIMARY KEY,
	"admin_id" bigint NOT NULL,
	"claimed_until" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bank_allocations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bank_allocations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"line_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"order_id" bigint,
	"other_line_id" bigint,
	"amount" numeric NOT NULL,
	"cause" text,
	"code" text,
	"reason" text,
	"rule" text NOT NULL,
	"is_third_party" boolean DEFAULT false NOT NULL,
	"evidence" jsonb NOT NULL,
	"policy_verdict" text,
	"made_by" text NOT NULL,
	"made_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"undone_by" text,
	"undone_at" timestamp(3) with time zone,
	"undo_reason" text,
	"made_with" uuid,
	"undone_with" uuid,
	"account_id" bigint DEFAULT 0 NOT NULL,
	"direction" text DEFAULT '' NOT NULL,
	"changed_in" xid8 DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "bank_allocations_purpose_known" CHECK ("purpose" IN ('order', 'refund', 'reversal', 'return', 'ignored')),
	CONSTRAINT "bank_allocations_cause_known" CHECK ("cause" IN ('overpaid', 'late', 'duplicate', 'third_party', 'wrong_currency', 'cancelled_order', 'other')),
	CONSTRAINT "bank_allocations_code_known" CHECK ("code" IN ('own_transfer', 'fee', 'interest', 'outgoing', 'other_business', 'unknown_returned', 'small_difference')),
	CONSTRAINT "bank_allocations_verdict_known" CHECK ("policy_verdict" IN ('same', 'other', 'nothing')),
	CONSTRAINT "bank_allocations_rule_known" CHECK ("rule" IN ('exact', 'hand')),
	CONSTRAINT "bank_allocations_amount_positive" CHECK ("amount" > 0),
	CONSTRAINT "bank_allocations_order_named" CHECK ("purpose" <> 'order' OR "order_id" IS NOT NULL),
	CONSTRAINT "bank_allocations_refund_explained" CHECK ("purpose" <> 'refund' OR "cause" IS NOT NULL OR "other_line_id" IS NOT NULL),
	CONSTRAINT "bank_allocations_ignored_explained" CHECK (("purpose" = 'ignored') = ("code" IS NOT NULL)),
	CONSTRAINT "bank_allocations_undone_whole" CHECK (("undone_at" IS NULL) = ("undone_by" IS NULL) AND ("undone_at" IS NULL) = ("undo_reason" IS NULL)),
	CONSTRAINT "bank_allocations_undone_with_undone" CHECK ("undone_with" IS NULL OR "undone_at" IS NOT NULL)
);
--> statement-breakpoint
CREATE TABLE "bank_policy" (
	"id" integer PRIMARY KEY DEFAULT 1,
	"auto_apply" boolean DEFAULT false NOT NULL,
	"auto_combined" boolean DEFAULT false NOT NULL,
	"auto_remainder" boolean DEFAULT false NOT NULL,
	"payer_name" text DEFAULT 'same' NOT NULL,
	"fee_tolerance" numeric DEFAULT '35.00' NOT NULL,
	"grace_days" integer DEFAULT 1 NOT NULL,
	"overpaid_up_to" numeric DEFAULT '0.00' NOT NULL,
	"reason_for_third_party" boolean DEFAULT true NOT NULL,
	"max_auto_amount" numeric,
	"changed_by" text,
	"changed_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"refreshed_to" text,
	CONSTRAINT "bank_policy_one_row" CHECK ("id" = 1),
	CONSTRAINT "bank_policy_grace_range" CHECK ("grace_days" BETWEEN 0 AND 7),
	CONSTRAINT "bank_policy_payer_name_known" CHECK ("payer_name" IN ('same', 'initial'))
);
--> statement-breakpoint
CREATE TABLE "payer_accounts" (
	"account" text,
	"member_id" text,
	"line_id" bigint NOT NULL,
	"confirmed_by" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payer_accounts_pkey" PRIMARY KEY("account","member_id")
);
--> statement-breakpoint
CREATE TABLE "payer_names" (
	"member_id" text PRIMARY KEY,
	"name" text NOT NULL,
	"keys" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bank_statement_lines" (
	"line_id" bigint,
	"statement_id" bigint,
	"booked_from" text,
	CONSTRAINT "bank_statement_lines_pkey" PRIMARY KEY("line_id","statement_id")
);
--> statement-breakpoint
CREATE TABLE "bank_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bank_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"account" text NOT NULL,
	"account_key" text NOT NULL,
	"currency" text NOT NULL,
	"csv_profile" jsonb,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_accounts_number" UNIQUE("account_key","currency"),
	CONSTRAINT "bank_accounts_currency_form" CHECK ("currency" ~ '^[A-Z]{3}$')
);
--> statement-breakpoint
CREATE TABLE "bank_imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bank_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sha256" text NOT NULL,
	"file_name" text NOT NULL,
	"format" text NOT NULL,
	"size" integer NOT NULL,
	"lines_new" integer NOT NULL,
	"lines_known" integer NOT NULL,
	"unreadable_count" integer NOT NULL,
	"warnings" text[] NOT NULL,
	"unreadable" text[] NOT NULL,
	"imported_by" text NOT NULL,
	"account_ids" bigint[] DEFAULT '{}'::bigint[] NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"undone_by" text,
	"undone_at" timestamp(3) with time zone,
	"undo_reason" text,
	"unreadable_known_by" text,
	"unreadable_known_at" timestamp(3) with time zone,
	"unreadable_reason" text,
	CONSTRAINT "bank_imports_undone_whole" CHECK (("undone_at" IS NULL) = ("undone_by" IS NULL) AND ("undone_at" IS NULL) = ("undo_reason" IS NULL)),
	CONSTRAINT "bank_imports_unreadable_whole" CHECK (("unreadable_known_at" IS NULL) = ("unreadable_known_by" IS NULL) AND ("unreadable_known_at" IS NULL) = ("unreadable_reason" IS NULL)),
	CONSTRAINT "bank_imports_sha256_form" CHECK ("sha256" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "bank_imports_format_known" CHECK ("format" IN ('camt', 'MT940', 'CSV', 'zip'))
);
--> statement-breakpoint
CREATE TABLE "bank_lines" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bank_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"statement_id" bigint NOT NULL,
	"key" text NOT NULL,
	"occurrence" integer NOT NULL,
	"place" text NOT NULL,
	"position" integer NOT NULL,
	"booked_on" date,
	"value_on" date,
	"direction" text NOT NULL,
	"amount" numeric NOT NULL,
	"currency" text NOT NULL,
	"is_reversal" boolean NOT NULL,
	"booking" text NOT NULL,
	"payer_name" text,
	"payer_account" text,
	"bank_reference" text,
	"end_to_end_id" text,
	"mandate_id" text,
	"uetr" text,
	"structured" text[] NOT NULL,
	"remittance" text[] NOT NULL,
	"info" text[] NOT NULL,
	"details" jsonb NOT NULL,
	"entry_key" text,
	"covered_by" bigint,
	"allocated" numeric DEFAULT '0.00' NOT NULL,
	"refund_due" numeric DEFAULT '0.00' NOT NULL,
	"state" text GENERATED ALWAYS AS (CASE WHEN booking <> 'booked' THEN booking WHEN allocated = amount THEN 'settled' WHEN allocated = 0 THEN 'open' ELSE 'part' END) STORED NOT NULL,
	"suggestion" text,
	"outcome" text,
	"flags" text[] DEFAULT '{}'::text[] NOT NULL,
	"proposed_orders" text[] DEFAULT '{}'::text[] NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"listed_at" timestamp(3) with time zone GENERATED ALWAYS AS (coalesce(coalesce(booked_on, value_on)::timestamp AT TIME ZONE 'UTC', created_at)) STORED NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"search" text GENERATED ALWAYS AS (bank_line_search(payer_name, payer_account, ARRAY[bank_reference, end_to_end_id, mandate_id, uetr] || structured, remittance)) STORED NOT NULL,
	CONSTRAINT "bank_lines_once" UNIQUE("account_id","key","occurrence"),
	CONSTRAINT "bank_lines_suggestion_known" CHECK ("suggestion" IN ('exact', 'check', 'unmatched')),
	CONSTRAINT "bank_lines_outcome_known" CHECK ("outcome" IN ('exact', 'partial', 'overpaid', 'late', 'duplicate', 'cancelled_order', 'wrong_currency', 'unmatched', 'reversal', 'refund', 'outgoing', 'return', 'pending')),
	CONSTRAINT "bank_lines_direction_known" CHECK ("direction" IN ('credit', 'debit')),
	CONSTRAINT "bank_lines_booking_known" CHECK ("booking" IN ('booked', 'pending', 'info')),
	CONSTRAINT "bank_lines_amount_range" CHECK ("amount" >= 0 AND "amount" < 1e15 AND scale("amount") <= 5),
	CONSTRAINT "bank_lines_allocated_range" CHECK ("allocated" >= 0 AND "allocated" <= "amount")
);
--> statement-breakpoint
CREATE TABLE "bank_statements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bank_statements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"import_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"continues_id" bigint,
	"kind" text NOT NULL,
	"external_id" text,
	"number" text,
	"opening" numeric,
	"opening_on" date,
	"credits" numeric DEFAULT '0.00' NOT NULL,
	"debits" numeric DEFAULT '0.00' NOT NULL,
	"closing" numeric,
	"closing_on" date,
	"difference" numeric GENERATED ALWAYS AS (opening + credits - debits - closing) STORED,
	"lines_new" integer DEFAULT 0 NOT NULL,
	"lines_known" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"gap_known_by" text,
	"gap_known_at" timestamp(3) with time zone,
	"gap_reason" text,
	"difference_known_by" text,
	"difference_known_at" timestamp(3) with time zone,
	"difference_reason" text,
	"is_gap" boolean DEFAULT false NOT NULL,
	"jump" numeric,
	"contradiction" jsonb,
	"sequence" integer GENERATED ALWAYS AS (CASE WHEN number ~ '^[0-9]{1,9}$' THEN number::integer END) STORED,
	"ends_on" date GENERATED ALWAYS AS (coalesce(closing_on, opening_on, (created_at AT TIME ZONE 'UTC')::date)) STORED NOT NULL,
	CONSTRAINT "bank_statements_kind_known" CHECK ("kind" IN ('camt.052', 'camt.053', 'camt.054', 'MT940', 'MT942', 'CSV')),
	CONSTRAINT "bank_statements_gap_whole" CHECK (("gap_known_at" IS NULL) = ("gap_known_by" IS NULL) AND ("gap_known_at" IS NULL) = ("gap_reason" IS NULL)),
	CONSTRAINT "bank_statements_difference_whole" CHECK (("difference_known_at" IS NULL) = ("difference_known_by" IS NULL) AND ("difference_known_at" IS NULL) = ("difference_reason" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "bulk_items" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bulk_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"job_id" bigint NOT NULL,
	"entity_id" text NOT NULL,
	"version" integer,
	"member_id" text,
	"label" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"code" text,
	"message" text,
	"approval_id" bigint,
	"done_at" timestamp(3) with time zone,
	CONSTRAINT "bulk_items_state_known" CHECK ("state" IN ('waiting', 'done', 'requested', 'skipped', 'failed')),
	CONSTRAINT "bulk_items_done" CHECK (("done_at" IS NOT NULL) = ("state" <> 'waiting'))
);
--> statement-breakpoint
CREATE TABLE "bulk_jobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bulk_jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"action" text NOT NULL,
	"state" text DEFAULT 'prepared' NOT NULL,
	"created_by" bigint NOT NULL,
	"started_from" text,
	"filter" jsonb,
	"total" integer DEFAULT 0 NOT NULL,
	"counts" jsonb,
	"reason" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"stop_cause" text,
	"stopped_by" text,
	"seen_at" timestamp(3) with time zone,
	CONSTRAINT "bulk_jobs_action_known" CHECK ("action" IN ('ban_users', 'unban_users', 'approve_cases', 'reject_cases', 'cancel_orders', 'resend_messages', 'resolve_events')),
	CONSTRAINT "bulk_jobs_state_known" CHECK ("state" IN ('prepared', 'running', 'stopped', 'done')),
	CONSTRAINT "bulk_jobs_stop_cause_known" CHECK ("stop_cause" IN ('operator', 'disabled', 'permission')),
	CONSTRAINT "bulk_jobs_started" CHECK (("started_at" IS NULL) = ("state" = 'prepared')),
	CONSTRAINT "bulk_jobs_ended" CHECK (("ended_at" IS NOT NULL) = ("state" IN ('stopped', 'done'))),
	CONSTRAINT "bulk_jobs_stopped" CHECK (("stop_cause" IS NOT NULL) = ("state" = 'stopped'))
);
--> statement-breakpoint
CREATE TABLE "chain_coverage" (
	"chain_id" integer,
	"kind" text,
	"address" text,
	"next_block" bigint NOT NULL,
	"deposits_from" bigint,
	CONSTRAINT "chain_coverage_pkey" PRIMARY KEY("chain_id","kind","address"),
	CONSTRAINT "chain_coverage_kind_known" CHECK ("kind" IN ('token', 'wallet')),
	CONSTRAINT "chain_coverage_address_form" CHECK ("address" ~ '^0x[0-9a-f]{40}$')
);
--> statement-breakpoint
CREATE TABLE "chain_cursors" (
	"chain_id" integer PRIMARY KEY,
	"genesis_hash" text NOT NULL,
	"start_block" bigint NOT NULL,
	"done_block" bigint NOT NULL,
	"done_hash" text NOT NULL,
	"done_at" timestamp(3) with time zone,
	"head_block" bigint,
	"head_at" timestamp(3) with time zone,
	"head_moved_at" timestamp(3) with time zone,
	"is_halted" boolean DEFAULT false NOT NULL,
	"problem_code" text,
	"problem" text,
	"checked_at" timestamp(3) with time zone,
	"failing_since" timestamp(3) with time zone,
	"deposits_from" bigint,
	"reread_at" timestamp(3) with time zone,
	"coverage_version" bigint DEFAULT 0 NOT NULL,
	"wallets_taken_to" bigint DEFAULT 0
);
--> statement-breakpoint
CREATE TABLE "wallet_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "wallet_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"address" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "change_marks" (
	"at" timestamp(3) with time zone PRIMARY KEY,
	"open_from" xid8 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY,
	"holder" uuid NOT NULL,
	"server" text NOT NULL,
	"held_until" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "list_days" (
	"list" text,
	"leaf" text,
	"day" date,
	"rows" bigint NOT NULL,
	CONSTRAINT "list_days_pkey" PRIMARY KEY("list","day","leaf")
);
--> statement-breakpoint
CREATE TABLE "list_deltas" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "list_deltas_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"list" text NOT NULL,
	"leaf" text NOT NULL,
	"day" date NOT NULL,
	"rows" bigint NOT NULL,
	"amount" numeric DEFAULT '0' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "list_totals" (
	"list" text,
	"leaf" text,
	"rows" bigint NOT NULL,
	"amount" numeric DEFAULT '0' NOT NULL,
	CONSTRAINT "list_totals_pkey" PRIMARY KEY("list","leaf")
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "data_access" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "data_access_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"admin_id" bigint NOT NULL,
	"session_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"target" text,
	"rows" integer NOT NULL,
	"members" integer[],
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "data_access_kind_known" CHECK ("kind" IN ('member', 'members', 'kyc_case', 'kyc_lists', 'order', 'orders', 'transactions', 'search', 'export', 'approvals', 'bank_lines', 'bank_line', 'payments', 'payers', 'audit_log'))
);
--> statement-breakpoint
CREATE TABLE "document_tokens" (
	"token_hash" bytea PRIMARY KEY,
	"session_id" bigint NOT NULL,
	"document_key" text NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admin_factors" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_factors_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"admin_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"credential_id" text,
	"public_key" bytea,
	"counter" bigint,
	"transports" text[],
	"secret_enc" bytea,
	"key_id" text,
	"last_step" bigint,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp(3) with time zone,
	CONSTRAINT "admin_factors_kind_known" CHECK ("kind" IN ('passkey', 'totp')),
	CONSTRAINT "admin_factors_whole" CHECK (CASE "kind"
        WHEN 'passkey' THEN num_nonnulls("credential_id", "public_key", "counter", "transports") = 4
          AND num_nonnulls("secret_enc", "key_id", "last_step") = 0
        ELSE num_nonnulls("secret_enc", "key_id", "last_step") = 3
          AND num_nonnulls("credential_id", "public_key", "counter", "transports") = 0 END)
);
--> statement-breakpoint
CREATE TABLE "auth_challenges" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "auth_challenges_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"hash" bytea NOT NULL,
	"purpose" text NOT NULL,
	"admin_id" bigint NOT NULL,
	"session_id" bigint,
	"secret_enc" bytea,
	"key_id" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"used_at" timestamp(3) with time zone,
	CONSTRAINT "auth_challenges_purpose_known" CHECK ("purpose" IN ('sign_in', 'oidc_sign_in', 'passkey_sign_in', 'passkey_step_up', 'passkey_setup', 'totp_setup'))
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recovery_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"admin_id" bigint NOT NULL,
	"hash" bytea NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"key" text PRIMARY KEY,
	"member_id" text NOT NULL,
	"kind" text NOT NULL,
	"upload_hash" bytea NOT NULL,
	"stored_hash" bytea NOT NULL,
	"byte_size" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"picture_hash" bit(256),
	"hash_failed_at" timestamp(3) with time zone,
	CONSTRAINT "documents_kind_known" CHECK ("kind" IN ('front', 'back', 'selfie'))
);
--> statement-breakpoint
CREATE TABLE "kyc_another_looks" (
	"verification_id" bigint PRIMARY KEY,
	"admin_id" bigint NOT NULL,
	"note" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kyc_claims" (
	"verification_id" bigint PRIMARY KEY,
	"admin_id" bigint NOT NULL,
	"claimed_until" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kyc_step2" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "kyc_step2_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"member_id" text NOT NULL,
	"attempt_number" integer NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"submitted_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"date_of_birth" date NOT NULL,
	"nationality" text NOT NULL,
	"country_of_residence" text NOT NULL,
	CONSTRAINT "kyc_step2_attempt" UNIQUE("member_id","attempt_number"),
	CONSTRAINT "kyc_step2_status_known" CHECK ("status" IN ('draft', 'submitted', 'approved', 'rejected', 'reset'))
);
--> statement-breakpoint
CREATE TABLE "kyc_step3" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "kyc_step3_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"member_id" text NOT NULL,
	"attempt_number" integer NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"submitted_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"document_type" text NOT NULL,
	"front_document" text NOT NULL,
	"back_document" text,
	CONSTRAINT "kyc_step3_attempt" UNIQUE("member_id","attempt_number"),
	CONSTRAINT "kyc_step3_status_known" CHECK ("status" IN ('draft', 'submitted', 'approved', 'rejected', 'reset'))
);
--> statement-breakpoint
CREATE TABLE "kyc_step4" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "kyc_step4_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"member_id" text NOT NULL,
	"attempt_number" integer NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"submitted_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"selfie" text NOT NULL,
	CONSTRAINT "kyc_step4_attempt" UNIQUE("member_id","attempt_number"),
	CONSTRAINT "kyc_step4_status_known" CHECK ("status" IN ('draft', 'submitted', 'approved', 'rejected', 'reset'))
);
--> statement-breakpoint
CREATE TABLE "kyc_submissions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "kyc_submissions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"member_id" text NOT NULL,
	"attempt_number" integer NOT NULL,
	"result" text DEFAULT 'under_review' NOT NULL,
	"auto_processed" boolean DEFAULT false NOT NULL,
	"case_id" text NOT NULL CONSTRAINT "kyc_submissions_case" UNIQUE,
	"submitted_at" timestamp(3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "kyc_submissions_attempt" UNIQUE("member_id","attempt_number"),
	CONSTRAINT "kyc_submissions_result_known" CHECK ("result" IN ('under_review', 'approved', 'rejected', 'pending'))
);
--> statement-breakpoint
CREATE TABLE "kyc_verifications" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "kyc_verifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"member_id" text NOT NULL,
	"attempt_number" integer NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"kyc_score" integer,
	"provider_result" text,
	"provider_reason" text,
	"provider_result_at" timestamp(3) with time zone,
	"document_type" text,
	"nationality" text,
	"rejection_reason" text,
	"admin_notes" text,
	"decided_by" text,
	"decided_at" timestamp(3) with time zone,
	"submitted_at" timestamp(3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "kyc_verifications_attempt" UNIQUE("member_id","attempt_number"),
	CONSTRAINT "kyc_verifications_status_known" CHECK ("status" IN ('pending', 'approved', 'rejected', 'reset')),
	CONSTRAINT "kyc_verifications_provider_result_known" CHECK ("provider_result" IN ('approved', 'rejected', 'under_review')),
	CONSTRAINT "kyc_verifications_score_range" CHECK ("kyc_score" BETWEEN 0 AND 100)
);
--> statement-breakpoint
CREATE TABLE "message_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "message_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"message_id" bigint NOT NULL,
	"channel" text NOT NULL,
	"try_number" integer NOT NULL,
	"success" boolean NOT NULL,
	"error_message" text,
	"http_status" integer,
	"latency_ms" integer,
	"response_excerpt" text,
	"started_by" text DEFAULT 'queue' NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel" text NOT NULL,
	"direction" text NOT NULL,
	"endpoint_id" bigint,
	"event_row" bigint,
	"message_id" text DEFAULT gen_random_uuid(),
	"type" text NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" text,
	"ordering_key" text,
	"attempt_number" integer,
	"case_id" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"retries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp(3) with time zone,
	"lease_until" timestamp(3) with time zone,
	"last_failed_at" timestamp(3) with time zone,
	"delivered_at" timestamp(3) with time zone,
	"source" text,
	"signature" text,
	"signed_at" timestamp(3) with time zone,
	"note" text,
	"http_status" integer,
	"latency_ms" integer,
	"body_excerpt" text,
	"ip_address" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"mac" text,
	"payload" jsonb,
	CONSTRAINT "messages_channel_known" CHECK ("channel" IN ('platform', 'kyc', 'email', 'chat')),
	CONSTRAINT "messages_of_events" CHECK (("channel" = 'platform') = ("endpoint_id" IS NOT NULL) AND ("channel" = 'platform') = ("event_row" IS NOT NULL)),
	CONSTRAINT "messages_state_known" CHECK (CASE "direction" WHEN 'out' THEN "state" IN ('waiting', 'sending', 'delivered', 'failed', 'dropped') WHEN 'in' THEN "state" IN ('applied', 'recorded', 'duplicate', 'refused') ELSE false END),
	CONSTRAINT "messages_signature_known" CHECK ("signature" IN ('valid', 'missing', 'invalid', 'stale', 'replayed'))
);
--> statement-breakpoint
CREATE TABLE "note_versions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "note_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"note_id" bigint NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"member_id" text NOT NULL,
	"order_id" bigint,
	"text" text NOT NULL,
	"author_id" bigint NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp(3) with time zone,
	"pinned_at" timestamp(3) with time zone,
	"pinned_by" text,
	"version" integer DEFAULT 1 NOT NULL,
	"search" text GENERATED ALWAYS AS (fold_text(text)) STORED NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oidc_flows" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "oidc_flows_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"state_hash" bytea NOT NULL,
	"browser_hash" bytea NOT NULL,
	"issuer" text NOT NULL,
	"purpose" text NOT NULL,
	"admin_id" bigint,
	"session_id" bigint,
	"invitation_hash" bytea,
	"return_to" text,
	"presented_hash" bytea,
	"device_hash" bytea,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"used_at" timestamp(3) with time zone,
	CONSTRAINT "oidc_flows_purpose_known" CHECK ("purpose" IN ('sign_in', 'step_up', 'invitation', 'link')),
	CONSTRAINT "oidc_flows_whole" CHECK (num_nonnulls("admin_id", "session_id") = CASE WHEN "purpose" IN ('step_up', 'link') THEN 2 ELSE 0 END
        AND ("invitation_hash" IS NOT NULL) = ("purpose" = 'invitation'))
);
--> statement-breakpoint
CREATE TABLE "operator_identities" (
	"issuer" text,
	"subject" text,
	"admin_id" bigint NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "operator_identities_pkey" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "order_search_due" (
	"member_id" text PRIMARY KEY,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "orders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_number" text NOT NULL CONSTRAINT "orders_number" UNIQUE,
	"member_id" text NOT NULL,
	"project_id" text NOT NULL,
	"project_name" text NOT NULL,
	"investment_amount" numeric NOT NULL,
	"currency" text NOT NULL,
	"status" text DEFAULT 'waiting_payment' NOT NULL,
	"notes" text,
	"bank_name" text NOT NULL,
	"account_holder" text NOT NULL,
	"account_number" text NOT NULL,
	"iban" text NOT NULL,
	"swift" text NOT NULL,
	"payment_instructions" text NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp(3) with time zone,
	"completed_at" timestamp(3) with time zone,
	"paid_via" text,
	"received" numeric DEFAULT '0.00' NOT NULL,
	"payment_reference" text GENERATED ALWAYS AS (order_payment_reference(order_number, id)) STORED NOT NULL CONSTRAINT "orders_payment_reference" UNIQUE,
	"status_changed_by" text,
	"status_changed_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_in" xid8 DEFAULT pg_current_xact_id() NOT NULL,
	"member_search" text DEFAULT '' NOT NULL,
	"search" text GENERATED ALWAYS AS (member_search || E'\n' || fold_text(project_name) || E'\n' || fold_text(project_id) || E'\n' || fold_text(order_number)) STORED NOT NULL,
	CONSTRAINT "orders_paid_via_known" CHECK ("paid_via" IN ('hand', 'bank')),
	CONSTRAINT "orders_received_range" CHECK ("received" >= 0 AND "received" <= "investment_amount"),
	CONSTRAINT "orders_paid_by_bank_covered" CHECK ("paid_via" IS DISTINCT FROM 'bank' OR "received" = "investment_amount" OR "status" = 'completed'),
	CONSTRAINT "orders_status_known" CHECK ("status" IN ('waiting_payment', 'paid', 'completed', 'expired', 'cancelled')),
	CONSTRAINT "orders_currency_form" CHECK ("currency" ~ '^[A-Z]{3}$'),
	CONSTRAINT "orders_amount_range" CHECK ("investment_amount" > 0 AND "investment_amount" < 1e15 AND scale("investment_amount") <= 3)
);
--> statement-breakpoint
CREATE TABLE "platform_endpoints" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "platform_endpoints_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"url" text,
	"secret" text,
	"previous_secret" text,
	"secret_set_at" timestamp(3) with time zone,
	"types" text[],
	"is_on" boolean DEFAULT true NOT NULL,
	"paused_at" timestamp(3) with time zone,
	"last_success_at" timestamp(3) with time zone,
	"failing_since" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"deleted_at" timestamp(3) with time zone,
	CONSTRAINT "platform_endpoints_signed" CHECK (("url" IS NULL) = ("secret" IS NULL)),
	CONSTRAINT "platform_endpoints_kept" CHECK ("id" <> 1 OR "deleted_at" IS NULL)
);
--> statement-breakpoint
CREATE TABLE "platform_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "platform_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" text DEFAULT gen_random_uuid() NOT NULL CONSTRAINT "platform_events_event_id" UNIQUE,
	"type" text NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" text NOT NULL,
	"sequence" integer NOT NULL,
	"version" integer NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp(3) with time zone,
	"changed_in" xid8 DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "platform_events_sequence" UNIQUE("entity_id","entity_type","sequence")
);
--> statement-breakpoint
CREATE TABLE "idempotent_calls" (
	"actor" text,
	"key" text,
	"request_hash" bytea NOT NULL,
	"reply" jsonb,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotent_calls_pkey" PRIMARY KEY("actor","key")
);
--> statement-breakpoint
CREATE TABLE "import_batches" (
	"actor" text,
	"key" text,
	"settled_lines" integer DEFAULT 0 NOT NULL,
	"settled_digest" bytea NOT NULL,
	"result" jsonb NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"finished_at" timestamp(3) with time zone,
	CONSTRAINT "import_batches_pkey" PRIMARY KEY("actor","key")
);
--> statement-breakpoint
CREATE TABLE "platform_keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "platform_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"key_hash" bytea NOT NULL CONSTRAINT "platform_keys_hash" UNIQUE,
	"hint" text NOT NULL,
	"calls_per_second" integer NOT NULL,
	"scopes" text[] NOT NULL,
	"allowed_from" cidr[],
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"expires_at" timestamp(3) with time zone,
	"revoked_at" timestamp(3) with time zone,
	"last_used_at" timestamp(3) with time zone,
	"last_used_from" text,
	CONSTRAINT "platform_keys_scopes" CHECK (cardinality("scopes") > 0),
	CONSTRAINT "platform_keys_networks" CHECK (cardinality("allowed_from") > 0),
	CONSTRAINT "platform_keys_history" CHECK (NOT 'history' = ANY(scopes)
        OR expires_at IS NOT NULL AND expires_at <= created_at + interval '168 hours')
);
--> statement-breakpoint
CREATE TABLE "legal_holds" (
	"member_id" text PRIMARY KEY,
	"reason" text NOT NULL,
	"placed_by" text NOT NULL,
	"placed_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "retention_rules" (
	"kind" text PRIMARY KEY,
	"days" integer NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "retention_rules_kind_known" CHECK ("kind" IN ('approved_pictures', 'rejected_pictures', 'message_bodies', 'messages', 'security_events')),
	CONSTRAINT "retention_rules_days_range" CHECK ("days" BETWEEN 1 AND 36500)
);
--> statement-breakpoint
CREATE TABLE "audit_chain" (
	"seq" bigint PRIMARY KEY,
	"audit_id" bigint NOT NULL CONSTRAINT "audit_chain_audit_id" UNIQUE,
	"mac" bytea NOT NULL,
	"key_id" text NOT NULL,
	"sealed_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_keys" (
	"key_id" text PRIMARY KEY,
	"first_used_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"actor_name" text NOT NULL,
	"action" text NOT NULL,
	"target_type" text,
	"target_id" text,
	"details" jsonb NOT NULL,
	"ip_address" text,
	"request_id" text,
	"xid" xid8 DEFAULT pg_current_xact_id() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_personal" (
	"audit_id" bigint PRIMARY KEY,
	"member_id" text,
	"details" jsonb NOT NULL,
	"salt" bytea NOT NULL
);
--> statement-breakpoint
CREATE TABLE "security_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "security_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"severity" text NOT NULL,
	"event_type" text NOT NULL,
	"description" text NOT NULL,
	"ip_address" text,
	"details" jsonb DEFAULT '{}' NOT NULL,
	"resolved_at" timestamp(3) with time zone,
	"resolved_by" text,
	"resolution_note" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"seq" bigint,
	CONSTRAINT "security_events_severity_known" CHECK ("severity" IN ('critical', 'high', 'medium', 'low'))
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"logo" text NOT NULL,
	"project_name" text NOT NULL,
	"project_link" text,
	"contract_address" text NOT NULL,
	"token_symbol" text NOT NULL,
	"decimals" integer DEFAULT 18 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"active_set_by" text,
	"active_set_at" timestamp(3) with time zone,
	"chain_name" text,
	"chain_symbol" text,
	"chain_decimals" integer,
	"chain_has_code" boolean,
	"chain_checked_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "tokens_address" UNIQUE("kind","contract_address"),
	CONSTRAINT "tokens_kind_known" CHECK ("kind" IN ('earning', 'fractions')),
	CONSTRAINT "tokens_address_form" CHECK ("contract_address" ~ '^0x[0-9a-f]{40}$'),
	CONSTRAINT "tokens_decimals_range" CHECK ("decimals" BETWEEN 0 AND 18),
	CONSTRAINT "tokens_link_form" CHECK ("project_link" ~ '^https?://'),
	CONSTRAINT "tokens_active_setter" CHECK (num_nulls("active_set_by", "active_set_at") IN (0, 2))
);
--> statement-breakpoint
CREATE TABLE "chain_transactions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chain_transactions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"transaction_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"wallet_address" text NOT NULL,
	"transaction_type" text NOT NULL,
	"token_address" text NOT NULL,
	"token_symbol" text,
	"project_name" text,
	"amount" numeric NOT NULL,
	"status" text NOT NULL,
	"is_imported" boolean NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"chain_id" integer,
	"block_number" bigint,
	"block_hash" text,
	"from_address" text,
	"to_address" text,
	"amount_raw" numeric,
	CONSTRAINT "chain_transactions_log" UNIQUE("transaction_hash","log_index","wallet_address"),
	CONSTRAINT "chain_transactions_hash_form" CHECK ("transaction_hash" ~ '^0x[0-9a-f]{64}$'),
	CONSTRAINT "chain_transactions_wallet_form" CHECK ("wallet_address" ~ '^0x[0-9a-f]{40}$'),
	CONSTRAINT "chain_transactions_token_form" CHECK ("token_address" ~ '^0x[0-9a-f]{40}$'),
	CONSTRAINT "chain_transactions_type_known" CHECK ("transaction_type" IN ('deposit', 'withdrawal', 'other')),
	CONSTRAINT "chain_transactions_status_known" CHECK ("status" IN ('pending', 'completed', 'failed')),
	CONSTRAINT "chain_transactions_amount_range" CHECK ("amount" >= 0 AND "amount" < 1e78 AND scale("amount") <= 18)
);
--> statement-breakpoint
CREATE TABLE "fractions" (
	"id" text PRIMARY KEY,
	"member_id" text NOT NULL,
	"project_name" text NOT NULL,
	"amount" numeric NOT NULL,
	"token_address" text NOT NULL,
	"received_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "fractions_token_form" CHECK ("token_address" ~ '^0x[0-9a-f]{40}$'),
	CONSTRAINT "fractions_amount_range" CHECK ("amount" >= 0 AND "amount" < 1e60 AND scale("amount") <= 18)
);
--> statement-breakpoint
CREATE TABLE "platform_transactions" (
	"id" text PRIMARY KEY,
	"member_id" text NOT NULL,
	"type" text NOT NULL,
	"amount" numeric NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "platform_transactions_type_known" CHECK ("type" IN ('deposit', 'withdrawal', 'other')),
	CONSTRAINT "platform_transactions_status_known" CHECK ("status" IN ('pending', 'completed', 'failed')),
	CONSTRAINT "platform_transactions_amount_range" CHECK ("amount" >= 0 AND "amount" < 1e60 AND scale("amount") <= 18)
);
--> statement-breakpoint
CREATE TABLE "treasury_readings" (
	"chain_id" integer PRIMARY KEY,
	"block_number" bigint,
	"block_at" timestamp(3) with time zone,
	"read_at" timestamp(3) with time zone,
	"wallets" integer,
	"tokens" jsonb,
	"failed_at" timestamp(3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "treasury_wallets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "treasury_wallets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"address" text NOT NULL CONSTRAINT "treasury_wallets_address" UNIQUE,
	"label" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "treasury_wallets_form" CHECK ("address" ~ '^0x[0-9a-f]{40}$')
);
--> statement-breakpoint
CREATE TABLE "members" (
	"id" text PRIMARY KEY,
	"email" text NOT NULL,
	"legal_first_name" text,
	"legal_last_name" text,
	"legal_phone" text,
	"membership_id" text CONSTRAINT "members_membership_id" UNIQUE,
	"kyc_status" text,
	"kyc_completed" boolean GENERATED ALWAYS AS ((kyc_status IS NOT DISTINCT FROM 'approved')) STORED NOT NULL,
	"kyc_current_step" integer DEFAULT 1 NOT NULL,
	"kyc_document_type" text,
	"kyc_submission_count" integer DEFAULT 0 NOT NULL,
	"kyc_submitted_at" timestamp(3) with time zone,
	"kyc_front_document" text,
	"kyc_back_document" text,
	"kyc_selfie" text,
	"kyc_rejection_reason" text,
	"kyc_rejected_finally" boolean DEFAULT false NOT NULL,
	"kyc_admin_notes" text,
	"kyc_decided_attempt" integer,
	"kyc_decided_by" text,
	"kyc_decided_at" timestamp(3) with time zone,
	"banned" boolean DEFAULT false NOT NULL,
	"banned_reason" text,
	"banned_by" text,
	"banned_at" timestamp(3) with time zone,
	"ban_changed_by" text,
	"ban_changed_at" timestamp(3) with time zone,
	"erased_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_in" xid8 DEFAULT pg_current_xact_id() NOT NULL,
	"search" text GENERATED ALWAYS AS (member_search(legal_first_name, legal_last_name, email)) STORED NOT NULL,
	CONSTRAINT "members_id_form" CHECK ("id" ~ '^[A-Za-z0-9_.:-]{1,64}$'),
	CONSTRAINT "members_kyc_status_known" CHECK ("kyc_status" IN ('pending', 'submitted', 'under_review', 'approved', 'rejected')),
	CONSTRAINT "members_kyc_step_range" CHECK ("kyc_current_step" BETWEEN 0 AND 4),
	CONSTRAINT "members_approved_has_membership" CHECK ("kyc_status" <> 'approved' OR "membership_id" IS NOT NULL),
	CONSTRAINT "members_erased_is_empty" CHECK ("erased_at" IS NULL OR num_nonnulls("legal_phone", "kyc_selfie") = 0),
	CONSTRAINT "members_ban_is_whole" CHECK ("banned" = ("banned_reason" IS NOT NULL) AND "banned" = ("banned_at" IS NOT NULL) AND "banned" = ("banned_by" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "list_views" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "list_views_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" bigint NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"search" text NOT NULL,
	"is_shared" boolean NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "list_views_list_known" CHECK ("list" IN ('users', 'orders', 'chainTransactions', 'platformTransactions', 'submissions', 'verifications', 'securityEvents', 'adminLogs'))
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "wallets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"member_id" text NOT NULL,
	"address" text NOT NULL CONSTRAINT "wallets_address" UNIQUE,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "wallets_address_form" CHECK ("address" ~ '^0x[0-9a-f]{40}$')
);
--> statement-breakpoint
CREATE INDEX "approvals_walk" ON "approvals" ("requested_at","id");--> statement-breakpoint
CREATE INDEX "approvals_target" ON "approvals" ("target_type","target_id","requested_at");--> statement-breakpoint
CREATE UNIQUE INDEX "approvals_open" ON "approvals" ("action","target_type","target_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "approvals_due" ON "approvals" ("expires_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "approvals_unseen" ON "approvals" ("requested_by") WHERE seen_at IS NULL AND state NOT IN ('open', 'withdrawn');--> statement-breakpoint
CREATE UNIQUE INDEX "admins_username_folded" ON "admins" (fold_name("username"));--> statement-breakpoint
CREATE INDEX "ended_sessions_age" ON "ended_sessions" ("ended_at");--> statement-breakpoint
CREATE UNIQUE INDEX "operator_invitations_code_hash" ON "operator_invitations" ("code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token_hash" ON "sessions" ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_admin" ON "sessions" ("admin_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sign_in_links_code_hash" ON "sign_in_links" ("code_hash");--> statement-breakpoint
CREATE INDEX "sign_in_throttles_window" ON "sign_in_throttles" ("window_started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_allocations_once" ON "bank_allocations" ("line_id","order_id") WHERE undone_at IS NULL AND purpose = 'order';--> statement-breakpoint
CREATE INDEX "bank_allocations_line" ON "bank_allocations" ("line_id","id");--> statement-breakpoint
CREATE INDEX "bank_allocations_order" ON "bank_allocations" ("order_id","id") WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_allocations_other_line" ON "bank_allocations" ("other_line_id") WHERE other_line_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_allocations_refunds" ON "bank_allocations" ("line_id") WHERE purpose = 'refund' AND direction = 'credit' AND undone_at IS NULL;--> statement-breakpoint
CREATE INDEX "bank_allocations_changed" ON "bank_allocations" ("changed_in","id");--> statement-breakpoint
CREATE INDEX "payer_accounts_member" ON "payer_accounts" ("member_id");--> statement-breakpoint
CREATE INDEX "payer_accounts_line" ON "payer_accounts" ("line_id");--> statement-breakpoint
CREATE INDEX "payer_names_keys" ON "payer_names" USING gin ("keys");--> statement-breakpoint
CREATE INDEX "bank_statement_lines_statement" ON "bank_statement_lines" ("statement_id");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_imports_file" ON "bank_imports" ("sha256") WHERE undone_at IS NULL;--> statement-breakpoint
CREATE INDEX "bank_imports_walk" ON "bank_imports" ("created_at","id");--> statement-breakpoint
CREATE INDEX "bank_imports_unreadable" ON "bank_imports" ("created_at","id") WHERE unreadable_count > 0 AND undone_at IS NULL AND unreadable_known_at IS NULL;--> statement-breakpoint
CREATE INDEX "bank_lines_walk" ON "bank_lines" ("listed_at","id");--> statement-breakpoint
CREATE INDEX "bank_lines_account" ON "bank_lines" ("account_id","listed_at","id");--> statement-breakpoint
CREATE INDEX "bank_lines_state" ON "bank_lines" ("state","listed_at","id");--> statement-breakpoint
CREATE INDEX "bank_lines_account_state" ON "bank_lines" ("account_id","state","listed_at","id");--> statement-breakpoint
CREATE INDEX "bank_lines_amount" ON "bank_lines" ("amount","listed_at","id");--> statement-breakpoint
CREATE INDEX "bank_lines_statement" ON "bank_lines" ("statement_id");--> statement-breakpoint
CREATE INDEX "bank_lines_covered" ON "bank_lines" ("covered_by") WHERE covered_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_lines_entry" ON "bank_lines" ("account_id","entry_key") WHERE entry_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_lines_sent" ON "bank_lines" ("account_id","listed_at","id") WHERE direction = 'debit';--> statement-breakpoint
CREATE INDEX "bank_lines_sent_id" ON "bank_lines" ("end_to_end_id") WHERE direction = 'debit' AND end_to_end_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_lines_unproposed" ON "bank_lines" ("id") WHERE suggestion IS NULL AND state IN ('open', 'part');--> statement-breakpoint
CREATE INDEX "bank_lines_work" ON "bank_lines" ("account_id","listed_at","id") WHERE state IN ('open', 'part');--> statement-breakpoint
CREATE INDEX "bank_lines_refund_due" ON "bank_lines" ("listed_at","id") WHERE refund_due > 0;--> statement-breakpoint
CREATE INDEX "bank_lines_proposed" ON "bank_lines" USING gin ("proposed_orders") WHERE state IN ('open', 'part');--> statement-breakpoint
CREATE INDEX "bank_statements_walk" ON "bank_statements" ("created_at","id");--> statement-breakpoint
CREATE INDEX "bank_statements_order" ON "bank_statements" ("account_id","kind","ends_on","sequence");--> statement-breakpoint
CREATE INDEX "bank_statements_sequence" ON "bank_statements" ("account_id","kind","sequence","ends_on");--> statement-breakpoint
CREATE INDEX "bank_statements_off" ON "bank_statements" ("account_id","created_at","id") WHERE (difference <> 0 AND difference_known_at IS NULL) OR contradiction IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_statements_gaps" ON "bank_statements" ("account_id","created_at","id") WHERE is_gap;--> statement-breakpoint
CREATE INDEX "bank_statements_account" ON "bank_statements" ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "bank_statements_first" ON "bank_statements" ("account_id",coalesce(opening_on, ends_on)) WHERE kind IN ('camt.053', 'MT940', 'CSV') AND opening IS NOT NULL AND closing IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_statements_last" ON "bank_statements" ("account_id","ends_on") WHERE kind IN ('camt.053', 'MT940', 'CSV') AND opening IS NOT NULL AND closing IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_statements_latest" ON "bank_statements" ("account_id",(kind = 'camt.054'),"ends_on" DESC,"sequence" DESC NULLS LAST,"id" DESC);--> statement-breakpoint
CREATE INDEX "bank_statements_continues" ON "bank_statements" ("continues_id");--> statement-breakpoint
CREATE INDEX "bank_statements_closing" ON "bank_statements" ("account_id","closing");--> statement-breakpoint
CREATE INDEX "bank_statements_opening" ON "bank_statements" ("account_id","opening","opening_on");--> statement-breakpoint
CREATE INDEX "bulk_items_walk" ON "bulk_items" ("job_id","id");--> statement-breakpoint
CREATE INDEX "bulk_items_states" ON "bulk_items" ("job_id","state");--> statement-breakpoint
CREATE INDEX "bulk_items_waiting" ON "bulk_items" ("job_id","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_items_once" ON "bulk_items" ("job_id","entity_id");--> statement-breakpoint
CREATE INDEX "bulk_items_member" ON "bulk_items" ("member_id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_walk" ON "bulk_jobs" ("created_at","id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_of" ON "bulk_jobs" ("created_by","created_at","id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_running" ON "bulk_jobs" ("id") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "bulk_jobs_unseen" ON "bulk_jobs" ("created_by") WHERE seen_at IS NULL AND ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "chain_coverage_behind" ON "chain_coverage" ("chain_id","next_block","kind") WHERE next_block <> 9007199254740991;--> statement-breakpoint
CREATE INDEX "data_access_target" ON "data_access" ("target","at") WHERE target IS NOT NULL;--> statement-breakpoint
CREATE INDEX "data_access_age" ON "data_access" ("at");--> statement-breakpoint
CREATE INDEX "data_access_operator" ON "data_access" ("admin_id","at");--> statement-breakpoint
CREATE INDEX "document_tokens_session" ON "document_tokens" ("session_id");--> statement-breakpoint
CREATE INDEX "document_tokens_expiry" ON "document_tokens" ("expires_at");--> statement-breakpoint
CREATE INDEX "admin_factors_admin" ON "admin_factors" ("admin_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "admin_factors_credential" ON "admin_factors" ("credential_id");--> statement-breakpoint
CREATE UNIQUE INDEX "auth_challenges_hash" ON "auth_challenges" ("hash");--> statement-breakpoint
CREATE INDEX "auth_challenges_admin" ON "auth_challenges" ("admin_id","purpose","id");--> statement-breakpoint
CREATE INDEX "auth_challenges_session" ON "auth_challenges" ("session_id");--> statement-breakpoint
CREATE INDEX "auth_challenges_end" ON "auth_challenges" ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_codes_hash" ON "recovery_codes" ("admin_id","hash");--> statement-breakpoint
CREATE UNIQUE INDEX "documents_upload" ON "documents" ("member_id","kind","upload_hash");--> statement-breakpoint
CREATE INDEX "documents_stored" ON "documents" ("stored_hash");--> statement-breakpoint
CREATE INDEX "documents_unhashed" ON "documents" ("created_at","key") WHERE picture_hash IS NULL AND hash_failed_at IS NULL;--> statement-breakpoint
CREATE INDEX "kyc_another_looks_admin" ON "kyc_another_looks" ("admin_id");--> statement-breakpoint
CREATE INDEX "kyc_claims_admin" ON "kyc_claims" ("admin_id");--> statement-breakpoint
CREATE INDEX "kyc_step2_walk" ON "kyc_step2" ("submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_step2_status" ON "kyc_step2" ("status","submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_step2_birth" ON "kyc_step2" ("date_of_birth","member_id");--> statement-breakpoint
CREATE INDEX "kyc_step3_walk" ON "kyc_step3" ("submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_step3_status" ON "kyc_step3" ("status","submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_step4_walk" ON "kyc_step4" ("submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_step4_status" ON "kyc_step4" ("status","submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_submissions_walk" ON "kyc_submissions" ("submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_submissions_result" ON "kyc_submissions" ("result","submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_verifications_walk" ON "kyc_verifications" ("submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_verifications_status" ON "kyc_verifications" ("status","submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_verifications_decided" ON "kyc_verifications" ("decided_at","submitted_at") WHERE decided_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "message_attempts_message" ON "message_attempts" ("message_id","id");--> statement-breakpoint
CREATE INDEX "message_attempts_kyc_walk" ON "message_attempts" ("created_at","id") WHERE channel = 'kyc';--> statement-breakpoint
CREATE INDEX "message_attempts_kyc_outcome" ON "message_attempts" ("success","created_at","id") WHERE channel = 'kyc';--> statement-breakpoint
CREATE UNIQUE INDEX "messages_case" ON "messages" ("entity_id","attempt_number") WHERE channel = 'kyc' AND direction = 'out';--> statement-breakpoint
CREATE UNIQUE INDEX "messages_taken" ON "messages" ("source","message_id") WHERE state IN ('applied', 'recorded');--> statement-breakpoint
CREATE INDEX "messages_sent_id" ON "messages" ("message_id") WHERE direction = 'out';--> statement-breakpoint
CREATE INDEX "messages_received_id" ON "messages" ("message_id") WHERE direction = 'in';--> statement-breakpoint
CREATE INDEX "messages_entity" ON "messages" ("entity_id","entity_type","id");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_event" ON "messages" ("event_row","endpoint_id") WHERE channel = 'platform';--> statement-breakpoint
CREATE INDEX "messages_endpoint_walk" ON "messages" ("endpoint_id","created_at","id") WHERE channel = 'platform';--> statement-breakpoint
CREATE INDEX "messages_open" ON "messages" ("ordering_key","id") WHERE state IN ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "messages_due" ON "messages" ("channel","endpoint_id","next_try_at","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "messages_sending" ON "messages" ("lease_until") WHERE state = 'sending';--> statement-breakpoint
CREATE INDEX "messages_unreached" ON "messages" ("last_failed_at","id") WHERE channel = 'kyc' AND state <> 'delivered' AND last_failed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "messages_walk" ON "messages" ("created_at","id");--> statement-breakpoint
CREATE INDEX "messages_state" ON "messages" ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_kyc_walk" ON "messages" ("direction","created_at","id") WHERE channel = 'kyc';--> statement-breakpoint
CREATE INDEX "messages_kyc_state" ON "messages" ("direction","state","created_at","id") WHERE channel = 'kyc';--> statement-breakpoint
CREATE INDEX "messages_alert_walk" ON "messages" ("created_at","id") WHERE channel IN ('email', 'chat');--> statement-breakpoint
CREATE INDEX "messages_alert_open" ON "messages" ("created_at") WHERE channel IN ('email', 'chat') AND state IN ('waiting', 'sending', 'failed');--> statement-breakpoint
CREATE INDEX "messages_endpoint_open" ON "messages" ("endpoint_id","created_at") WHERE channel = 'platform' AND state IN ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "note_versions_note" ON "note_versions" ("note_id","id");--> statement-breakpoint
CREATE INDEX "notes_walk" ON "notes" ("created_at","id");--> statement-breakpoint
CREATE INDEX "notes_member" ON "notes" ("member_id","created_at","id");--> statement-breakpoint
CREATE INDEX "notes_order" ON "notes" ("order_id","created_at","id") WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "notes_pinned" ON "notes" ("member_id","pinned_at") WHERE pinned_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "oidc_flows_state" ON "oidc_flows" ("state_hash");--> statement-breakpoint
CREATE INDEX "oidc_flows_admin" ON "oidc_flows" ("admin_id");--> statement-breakpoint
CREATE INDEX "oidc_flows_session" ON "oidc_flows" ("session_id");--> statement-breakpoint
CREATE INDEX "oidc_flows_end" ON "oidc_flows" ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "operator_identities_admin" ON "operator_identities" ("admin_id","issuer");--> statement-breakpoint
CREATE INDEX "orders_changed" ON "orders" ("changed_in","id");--> statement-breakpoint
CREATE INDEX "orders_walk" ON "orders" ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_member" ON "orders" ("member_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_amount" ON "orders" ("investment_amount","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_currency_amount" ON "orders" ("currency","investment_amount","created_at","id","status");--> statement-breakpoint
CREATE INDEX "orders_soonest" ON "orders" ((CASE status WHEN 'waiting_payment' THEN expires_at ELSE 'infinity'::timestamptz END),"created_at","id","status","expires_at");--> statement-breakpoint
CREATE INDEX "orders_due" ON "orders" ("expires_at") WHERE status = 'waiting_payment';--> statement-breakpoint
CREATE INDEX "orders_ended_paid" ON "orders" ("id") WHERE status IN ('expired', 'cancelled') AND received > 0;--> statement-breakpoint
CREATE INDEX "orders_owed" ON "orders" ("id") WHERE status = 'completed' AND paid_via = 'bank' AND received < investment_amount;--> statement-breakpoint
CREATE UNIQUE INDEX "platform_endpoints_name" ON "platform_endpoints" (lower("name")) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX "platform_events_changed" ON "platform_events" ("changed_in","id");--> statement-breakpoint
CREATE INDEX "idempotent_calls_age" ON "idempotent_calls" ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "platform_keys_lower_name" ON "platform_keys" (lower("name"));--> statement-breakpoint
CREATE INDEX "audit_log_xid" ON "audit_log" ("xid","id");--> statement-breakpoint
CREATE INDEX "audit_log_walk" ON "audit_log" ("created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_operators" ON "audit_log" ("created_at","id") WHERE action <> 'platform_call';--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" (lower("actor_name"),"created_at","id","action");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" ("action","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" ("target_type","target_id","id");--> statement-breakpoint
CREATE INDEX "audit_personal_member" ON "audit_personal" ("member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "security_events_seq" ON "security_events" ("seq");--> statement-breakpoint
CREATE INDEX "security_events_unnumbered" ON "security_events" ("id") WHERE seq IS NULL;--> statement-breakpoint
CREATE INDEX "security_events_walk" ON "security_events" ("created_at","id");--> statement-breakpoint
CREATE INDEX "security_events_severity" ON "security_events" ("severity","created_at","id");--> statement-breakpoint
CREATE INDEX "security_events_open" ON "security_events" ("created_at","id") WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX "security_events_equal" ON "security_events" ("event_type","severity",md5("description"),"id") WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX "tokens_walk" ON "tokens" ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "chain_transactions_walk" ON "chain_transactions" ("created_at","id");--> statement-breakpoint
CREATE INDEX "chain_transactions_type" ON "chain_transactions" ("transaction_type","created_at","id");--> statement-breakpoint
CREATE INDEX "chain_transactions_status" ON "chain_transactions" ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "chain_transactions_block" ON "chain_transactions" ("chain_id","block_number") WHERE block_number IS NOT NULL;--> statement-breakpoint
CREATE INDEX "chain_transactions_token" ON "chain_transactions" ("token_address","status","created_at","id");--> statement-breakpoint
CREATE INDEX "chain_transactions_to" ON "chain_transactions" ("to_address","created_at","id") WHERE to_address IS NOT NULL;--> statement-breakpoint
CREATE INDEX "chain_transactions_wallet" ON "chain_transactions" ("wallet_address","created_at","id");--> statement-breakpoint
CREATE INDEX "fractions_member" ON "fractions" ("member_id","received_at","id");--> statement-breakpoint
CREATE INDEX "platform_transactions_walk" ON "platform_transactions" ("created_at","id");--> statement-breakpoint
CREATE INDEX "platform_transactions_amount" ON "platform_transactions" ("amount","created_at","id");--> statement-breakpoint
CREATE INDEX "platform_transactions_member" ON "platform_transactions" ("member_id","created_at","id");--> statement-breakpoint
CREATE INDEX "platform_transactions_unsettled" ON "platform_transactions" ("status","created_at","id") WHERE status <> 'completed';--> statement-breakpoint
CREATE INDEX "members_changed" ON "members" ("changed_in","id");--> statement-breakpoint
CREATE UNIQUE INDEX "members_email_folded" ON "members" (fold_name("email"));--> statement-breakpoint
CREATE INDEX "members_banned" ON "members" ("created_at","id") WHERE banned;--> statement-breakpoint
CREATE INDEX "members_kyc_pending" ON "members" ("created_at","id") WHERE NOT kyc_completed;--> statement-breakpoint
CREATE INDEX "members_awaiting_review" ON "members" ("kyc_submitted_at","id") WHERE kyc_status IN ('submitted', 'under_review');--> statement-breakpoint
CREATE INDEX "members_undecided" ON "members" ("id") WHERE kyc_status IN ('submitted', 'under_review', 'pending') AND kyc_submission_count > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "list_views_name" ON "list_views" ("owner_id","list",lower("name"));--> statement-breakpoint
CREATE INDEX "list_views_shared" ON "list_views" ("id") WHERE is_shared;--> statement-breakpoint
CREATE INDEX "wallets_member" ON "wallets" ("member_id","created_at","id");--> statement-breakpoint
ALTER TABLE "alert_choices" ADD CONSTRAINT "alert_choices_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "alert_recipients" ADD CONSTRAINT "alert_recipients_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_requested_by_admins_id_fkey" FOREIGN KEY ("requested_by") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_decided_by_admins_id_fkey" FOREIGN KEY ("decided_by") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "admins" ADD CONSTRAINT "admins_invited_by_admins_id_fkey" FOREIGN KEY ("invited_by") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "admins" ADD CONSTRAINT "admins_invitation_approved_by_admins_id_fkey" FOREIGN KEY ("invitation_approved_by") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "operator_invitations" ADD CONSTRAINT "operator_invitations_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "bank_claims" ADD CONSTRAINT "bank_claims_line_id_bank_lines_id_fkey" FOREIGN KEY ("line_id") REFERENCES "bank_lines"("id");--> statement-breakpoint
ALTER TABLE "bank_claims" ADD CONSTRAINT "bank_claims_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "bank_allocations" ADD CONSTRAINT "bank_allocations_line_id_bank_lines_id_fkey" FOREIGN KEY ("line_id") REFERENCES "bank_lines"("id");--> statement-breakpoint
ALTER TABLE "bank_allocations" ADD CONSTRAINT "bank_allocations_order_id_orders_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id");--> statement-breakpoint
ALTER TABLE "bank_allocations" ADD CONSTRAINT "bank_allocations_other_line_id_bank_lines_id_fkey" FOREIGN KEY ("other_line_id") REFERENCES "bank_lines"("id");--> statement-breakpoint
ALTER TABLE "payer_accounts" ADD CONSTRAINT "payer_accounts_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id");--> statement-breakpoint
ALTER TABLE "payer_accounts" ADD CONSTRAINT "payer_accounts_line_id_bank_lines_id_fkey" FOREIGN KEY ("line_id") REFERENCES "bank_lines"("id");--> statement-breakpoint
ALTER TABLE "payer_names" ADD CONSTRAINT "payer_names_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id");--> statement-breakpoint
ALTER TABLE "bank_statement_lines" ADD CONSTRAINT "bank_statement_lines_line_id_bank_lines_id_fkey" FOREIGN KEY ("line_id") REFERENCES "bank_lines"("id");--> statement-breakpoint
ALTER TABLE "bank_statement_lines" ADD CONSTRAINT "bank_statement_lines_statement_id_bank_statements_id_fkey" FOREIGN KEY ("statement_id") REFERENCES "bank_statements"("id");--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_account_id_bank_accounts_id_fkey" FOREIGN KEY ("account_id") REFERENCES "bank_accounts"("id");--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_statement_id_bank_statements_id_fkey" FOREIGN KEY ("statement_id") REFERENCES "bank_statements"("id");--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_covered_by_bank_statements_id_fkey" FOREIGN KEY ("covered_by") REFERENCES "bank_statements"("id");--> statement-breakpoint
ALTER TABLE "bank_statements" ADD CONSTRAINT "bank_statements_import_id_bank_imports_id_fkey" FOREIGN KEY ("import_id") REFERENCES "bank_imports"("id");--> statement-breakpoint
ALTER TABLE "bank_statements" ADD CONSTRAINT "bank_statements_account_id_bank_accounts_id_fkey" FOREIGN KEY ("account_id") REFERENCES "bank_accounts"("id");--> statement-breakpoint
ALTER TABLE "bank_statements" ADD CONSTRAINT "bank_statements_continues_id_bank_statements_id_fkey" FOREIGN KEY ("continues_id") REFERENCES "bank_statements"("id");--> statement-breakpoint
ALTER TABLE "bulk_items" ADD CONSTRAINT "bulk_items_job_id_bulk_jobs_id_fkey" FOREIGN KEY ("job_id") REFERENCES "bulk_jobs"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_created_by_admins_id_fkey" FOREIGN KEY ("created_by") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "document_tokens" ADD CONSTRAINT "document_tokens_session_id_sessions_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "document_tokens" ADD CONSTRAINT "document_tokens_document_key_documents_key_fkey" FOREIGN KEY ("document_key") REFERENCES "documents"("key") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "admin_factors" ADD CONSTRAINT "admin_factors_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "auth_challenges" ADD CONSTRAINT "auth_challenges_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "auth_challenges" ADD CONSTRAINT "auth_challenges_session_id_sessions_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "kyc_another_looks" ADD CONSTRAINT "kyc_another_looks_verification_id_kyc_verifications_id_fkey" FOREIGN KEY ("verification_id") REFERENCES "kyc_verifications"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "kyc_another_looks" ADD CONSTRAINT "kyc_another_looks_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "kyc_claims" ADD CONSTRAINT "kyc_claims_verification_id_kyc_verifications_id_fkey" FOREIGN KEY ("verification_id") REFERENCES "kyc_verifications"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "kyc_claims" ADD CONSTRAINT "kyc_claims_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "kyc_step2" ADD CONSTRAINT "kyc_step2_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "kyc_step3" ADD CONSTRAINT "kyc_step3_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "kyc_step4" ADD CONSTRAINT "kyc_step4_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "kyc_submissions" ADD CONSTRAINT "kyc_submissions_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "kyc_verifications" ADD CONSTRAINT "kyc_verifications_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "message_attempts" ADD CONSTRAINT "message_attempts_message_id_messages_id_fkey" FOREIGN KEY ("message_id") REFERENCES "messages"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_endpoint_id_platform_endpoints_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "platform_endpoints"("id");--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_event_row_platform_events_id_fkey" FOREIGN KEY ("event_row") REFERENCES "platform_events"("id");--> statement-breakpoint
ALTER TABLE "note_versions" ADD CONSTRAINT "note_versions_note_id_notes_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_order_id_orders_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_author_id_admins_id_fkey" FOREIGN KEY ("author_id") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "oidc_flows" ADD CONSTRAINT "oidc_flows_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "oidc_flows" ADD CONSTRAINT "oidc_flows_session_id_sessions_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "operator_identities" ADD CONSTRAINT "operator_identities_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "order_search_due" ADD CONSTRAINT "order_search_due_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id");--> statement-breakpoint
ALTER TABLE "legal_holds" ADD CONSTRAINT "legal_holds_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id");--> statement-breakpoint
ALTER TABLE "fractions" ADD CONSTRAINT "fractions_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "platform_transactions" ADD CONSTRAINT "platform_transactions_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "list_views" ADD CONSTRAINT "list_views_owner_id_admins_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;