CREATE TABLE "admins" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admins_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"password_hash" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_sign_in_at" timestamp(3) with time zone
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
CREATE TABLE "sessions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"token_hash" bytea NOT NULL,
	"admin_id" bigint NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_active_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ip_address" text NOT NULL,
	"user_agent" text NOT NULL
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
CREATE TABLE "chain_coverage" (
	"chain_id" integer,
	"kind" text,
	"address" text,
	"next_block" bigint NOT NULL,
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
	"reread_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "change_marks" (
	"at" timestamp(3) with time zone PRIMARY KEY,
	"open_from" xid8 NOT NULL
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
CREATE TABLE "document_tokens" (
	"token_hash" bytea PRIMARY KEY,
	"session_id" bigint NOT NULL,
	"document_key" text NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
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
	CONSTRAINT "documents_kind_known" CHECK ("kind" IN ('front', 'back', 'selfie'))
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
	CONSTRAINT "messages_channel_known" CHECK ("channel" IN ('platform', 'kyc')),
	CONSTRAINT "messages_of_events" CHECK (("channel" = 'platform') = ("endpoint_id" IS NOT NULL) AND ("channel" = 'platform') = ("event_row" IS NOT NULL)),
	CONSTRAINT "messages_state_known" CHECK (CASE "direction" WHEN 'out' THEN "state" IN ('waiting', 'sending', 'delivered', 'failed', 'dropped') WHEN 'in' THEN "state" IN ('applied', 'recorded', 'duplicate', 'refused') ELSE false END),
	CONSTRAINT "messages_signature_known" CHECK ("signature" IN ('valid', 'missing', 'invalid', 'stale', 'replayed'))
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
	"status_changed_by" text,
	"status_changed_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_in" xid8 DEFAULT pg_current_xact_id() NOT NULL,
	"member_search" text DEFAULT '' NOT NULL,
	"search" text GENERATED ALWAYS AS (member_search || E'\n' || fold_text(project_name) || E'\n' || fold_text(project_id) || E'\n' || fold_text(order_number)) STORED NOT NULL,
	CONSTRAINT "orders_status_known" CHECK ("status" IN ('waiting_payment', 'paid', 'completed', 'expired', 'cancelled')),
	CONSTRAINT "orders_currency_form" CHECK ("currency" ~ '^[A-Z]{3}$'),
	CONSTRAINT "orders_amount_range" CHECK ("investment_amount" > 0 AND "investment_amount" < 1e15 AND scale("investment_amount") <= 2)
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
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"expires_at" timestamp(3) with time zone,
	"revoked_at" timestamp(3) with time zone,
	"last_used_at" timestamp(3) with time zone,
	"last_used_from" text
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
	"request_id" text
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
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_in" xid8 DEFAULT pg_current_xact_id() NOT NULL,
	"search" text GENERATED ALWAYS AS (member_search(legal_first_name, legal_last_name, email)) STORED NOT NULL,
	CONSTRAINT "members_id_form" CHECK ("id" ~ '^[A-Za-z0-9_.:-]{1,64}$'),
	CONSTRAINT "members_kyc_status_known" CHECK ("kyc_status" IN ('pending', 'submitted', 'under_review', 'approved', 'rejected')),
	CONSTRAINT "members_kyc_step_range" CHECK ("kyc_current_step" BETWEEN 0 AND 4),
	CONSTRAINT "members_approved_has_membership" CHECK ("kyc_status" <> 'approved' OR "membership_id" IS NOT NULL),
	CONSTRAINT "members_ban_is_whole" CHECK ("banned" = ("banned_reason" IS NOT NULL) AND "banned" = ("banned_at" IS NOT NULL) AND "banned" = ("banned_by" IS NOT NULL))
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
CREATE UNIQUE INDEX "admins_username" ON "admins" (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token_hash" ON "sessions" ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_admin" ON "sessions" ("admin_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sign_in_links_code_hash" ON "sign_in_links" ("code_hash");--> statement-breakpoint
CREATE INDEX "sign_in_throttles_window" ON "sign_in_throttles" ("window_started_at");--> statement-breakpoint
CREATE INDEX "document_tokens_session" ON "document_tokens" ("session_id");--> statement-breakpoint
CREATE INDEX "document_tokens_expiry" ON "document_tokens" ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "documents_upload" ON "documents" ("member_id","kind","upload_hash");--> statement-breakpoint
CREATE INDEX "kyc_claims_admin" ON "kyc_claims" ("admin_id");--> statement-breakpoint
CREATE INDEX "kyc_step2_walk" ON "kyc_step2" ("submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_step2_status" ON "kyc_step2" ("status","submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_step3_walk" ON "kyc_step3" ("submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_step3_status" ON "kyc_step3" ("status","submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_step4_walk" ON "kyc_step4" ("submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_step4_status" ON "kyc_step4" ("status","submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_submissions_walk" ON "kyc_submissions" ("submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_submissions_result" ON "kyc_submissions" ("result","submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_verifications_walk" ON "kyc_verifications" ("submitted_at","id");--> statement-breakpoint
CREATE INDEX "kyc_verifications_status" ON "kyc_verifications" ("status","submitted_at","id");--> statement-breakpoint
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
CREATE INDEX "messages_endpoint_open" ON "messages" ("endpoint_id","created_at") WHERE channel = 'platform' AND state IN ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "orders_changed" ON "orders" ("changed_in","id");--> statement-breakpoint
CREATE INDEX "orders_walk" ON "orders" ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_member" ON "orders" ("member_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_amount" ON "orders" ("investment_amount","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_due" ON "orders" ("expires_at") WHERE status = 'waiting_payment';--> statement-breakpoint
CREATE UNIQUE INDEX "platform_endpoints_name" ON "platform_endpoints" (lower("name")) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX "platform_events_changed" ON "platform_events" ("changed_in","id");--> statement-breakpoint
CREATE INDEX "idempotent_calls_age" ON "idempotent_calls" ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "platform_keys_lower_name" ON "platform_keys" (lower("name"));--> statement-breakpoint
CREATE INDEX "audit_log_walk" ON "audit_log" ("created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_operators" ON "audit_log" ("created_at","id") WHERE action <> 'platform_call';--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" ("action","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" ("target_type","target_id","id");--> statement-breakpoint
CREATE INDEX "security_events_walk" ON "security_events" ("created_at","id");--> statement-breakpoint
CREATE INDEX "security_events_severity" ON "security_events" ("severity","created_at","id");--> statement-breakpoint
CREATE INDEX "security_events_open" ON "security_events" ("created_at","id") WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX "tokens_walk" ON "tokens" ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "chain_transactions_walk" ON "chain_transactions" ("created_at","id");--> statement-breakpoint
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
CREATE UNIQUE INDEX "members_email" ON "members" (lower("email"));--> statement-breakpoint
CREATE INDEX "members_banned" ON "members" ("created_at","id") WHERE banned;--> statement-breakpoint
CREATE INDEX "members_kyc_pending" ON "members" ("created_at","id") WHERE NOT kyc_completed;--> statement-breakpoint
CREATE INDEX "members_awaiting_review" ON "members" ("kyc_submitted_at","id") WHERE kyc_status IN ('submitted', 'under_review');--> statement-breakpoint
CREATE INDEX "members_undecided" ON "members" ("id") WHERE kyc_status IN ('submitted', 'under_review', 'pending') AND kyc_submission_count > 0;--> statement-breakpoint
CREATE INDEX "wallets_member" ON "wallets" ("member_id","created_at","id");--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "document_tokens" ADD CONSTRAINT "document_tokens_session_id_sessions_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "document_tokens" ADD CONSTRAINT "document_tokens_document_key_documents_key_fkey" FOREIGN KEY ("document_key") REFERENCES "documents"("key") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
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
ALTER TABLE "orders" ADD CONSTRAINT "orders_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id");--> statement-breakpoint
ALTER TABLE "fractions" ADD CONSTRAINT "fractions_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "platform_transactions" ADD CONSTRAINT "platform_transactions_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;