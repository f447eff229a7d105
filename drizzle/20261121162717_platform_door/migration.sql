CREATE TABLE "event_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"outbox_id" bigint NOT NULL,
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
	"name" text NOT NULL CONSTRAINT "platform_keys_name" UNIQUE,
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
CREATE TABLE "kyc_receipts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "kyc_receipts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"webhook_id" text,
	"sent_at" timestamp(3) with time zone,
	"signature" text NOT NULL,
	"type" text NOT NULL,
	"member_id" text,
	"attempt_number" integer,
	"case_id" text,
	"state" text NOT NULL,
	"note" text NOT NULL,
	"http_status" integer NOT NULL,
	"latency_ms" integer NOT NULL,
	"body_excerpt" text,
	"ip_address" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "kyc_receipts_state_known" CHECK ("state" IN ('applied', 'recorded', 'duplicate', 'refused')),
	CONSTRAINT "kyc_receipts_signature_known" CHECK ("signature" IN ('valid', 'missing', 'invalid', 'stale', 'replayed'))
);
--> statement-breakpoint
DROP INDEX "outbox_waiting";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "state" text DEFAULT 'waiting' NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "next_try_at" timestamp(3) with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "lease_until" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "kyc_verifications" ADD COLUMN "provider_result" text;--> statement-breakpoint
ALTER TABLE "kyc_verifications" ADD COLUMN "provider_reason" text;--> statement-breakpoint
ALTER TABLE "kyc_verifications" ADD COLUMN "provider_result_at" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "event_attempts_event" ON "event_attempts" ("outbox_id","id");--> statement-breakpoint
CREATE INDEX "outbox_open" ON "outbox" ("entity_type","entity_id","id") WHERE state IN ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" ("next_try_at","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "outbox_sending" ON "outbox" ("lease_until") WHERE state = 'sending';--> statement-breakpoint
CREATE INDEX "outbox_walk" ON "outbox" ("created_at",(id * 4 + 1));--> statement-breakpoint
CREATE INDEX "outbox_state" ON "outbox" ("state","created_at",(id * 4 + 1));--> statement-breakpoint
CREATE INDEX "idempotent_calls_age" ON "idempotent_calls" ("created_at");--> statement-breakpoint
CREATE INDEX "kyc_deliveries_walk" ON "kyc_deliveries" ("created_at",(id * 4 + 2));--> statement-breakpoint
CREATE INDEX "kyc_deliveries_state" ON "kyc_deliveries" ("state","created_at",(id * 4 + 2));--> statement-breakpoint
CREATE UNIQUE INDEX "kyc_receipts_message" ON "kyc_receipts" ("source","webhook_id") WHERE state IN ('applied', 'recorded');--> statement-breakpoint
CREATE INDEX "kyc_receipts_walk" ON "kyc_receipts" ("created_at",(id * 4 + 3));--> statement-breakpoint
CREATE INDEX "kyc_receipts_state" ON "kyc_receipts" ("state","created_at",(id * 4 + 3));--> statement-breakpoint
CREATE INDEX "kyc_receipts_member" ON "kyc_receipts" ("member_id","created_at");--> statement-breakpoint
ALTER TABLE "event_attempts" ADD CONSTRAINT "event_attempts_outbox_id_outbox_id_fkey" FOREIGN KEY ("outbox_id") REFERENCES "outbox"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_state_known" CHECK ("state" IN ('waiting', 'sending', 'delivered', 'failed'));--> statement-breakpoint
ALTER TABLE "kyc_verifications" ADD CONSTRAINT "kyc_verifications_provider_result_known" CHECK ("provider_result" IN ('approved', 'rejected', 'under_review'));