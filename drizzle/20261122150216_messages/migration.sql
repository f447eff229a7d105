-- Messages were three pairs of tables, which no release has ever had: their rows are not carried over.
DROP VIEW "deliveries";--> statement-breakpoint
DELETE FROM list_deltas WHERE list IN ('deliveries', 'kyc_webhook_logs');--> statement-breakpoint
DELETE FROM list_totals WHERE list IN ('deliveries', 'kyc_webhook_logs');--> statement-breakpoint
DELETE FROM list_days WHERE list IN ('deliveries', 'kyc_webhook_logs');--> statement-breakpoint
ALTER TABLE "event_attempts" DROP CONSTRAINT "event_attempts_outbox_id_outbox_id_fkey";--> statement-breakpoint
DROP TABLE "outbox";--> statement-breakpoint
DROP TABLE "kyc_webhook_logs";--> statement-breakpoint
DROP TABLE "kyc_deliveries";--> statement-breakpoint
DROP TABLE "event_attempts";--> statement-breakpoint
DROP TABLE "kyc_receipts";--> statement-breakpoint
DROP FUNCTION number_event();--> statement-breakpoint
DROP FUNCTION delivery_leaf(text, text);--> statement-breakpoint
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
	"message_id" text DEFAULT gen_random_uuid(),
	"type" text NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" text,
	"ordering_key" text,
	"sequence" integer,
	"version" integer,
	"attempt_number" integer,
	"case_id" text,
	"payload" jsonb,
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
	"changed_in" xid8 DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "messages_sequence" UNIQUE("entity_id","entity_type","sequence"),
	CONSTRAINT "messages_channel_known" CHECK ("channel" IN ('platform', 'kyc')),
	CONSTRAINT "messages_state_known" CHECK (CASE "direction" WHEN 'out' THEN "state" IN ('waiting', 'sending', 'delivered', 'failed') WHEN 'in' THEN "state" IN ('applied', 'recorded', 'duplicate', 'refused') ELSE false END),
	CONSTRAINT "messages_signature_known" CHECK ("signature" IN ('valid', 'missing', 'invalid', 'stale', 'replayed'))
);
--> statement-breakpoint
CREATE INDEX "message_attempts_message" ON "message_attempts" ("message_id","id");--> statement-breakpoint
CREATE INDEX "message_attempts_kyc_walk" ON "message_attempts" ("created_at","id") WHERE channel = 'kyc';--> statement-breakpoint
CREATE INDEX "message_attempts_kyc_outcome" ON "message_attempts" ("success","created_at","id") WHERE channel = 'kyc';--> statement-breakpoint
CREATE UNIQUE INDEX "messages_case" ON "messages" ("entity_id","attempt_number") WHERE channel = 'kyc' AND direction = 'out';--> statement-breakpoint
CREATE UNIQUE INDEX "messages_taken" ON "messages" ("source","message_id") WHERE state IN ('applied', 'recorded');--> statement-breakpoint
CREATE UNIQUE INDEX "messages_sent_id" ON "messages" ("message_id") WHERE direction = 'out';--> statement-breakpoint
CREATE INDEX "messages_received_id" ON "messages" ("message_id") WHERE direction = 'in';--> statement-breakpoint
CREATE INDEX "messages_changed" ON "messages" ("changed_in","id") WHERE channel = 'platform';--> statement-breakpoint
CREATE INDEX "messages_open" ON "messages" ("ordering_key","id") WHERE state IN ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "messages_due" ON "messages" ("channel","next_try_at","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "messages_sending" ON "messages" ("lease_until") WHERE state = 'sending';--> statement-breakpoint
CREATE INDEX "messages_unreached" ON "messages" ("last_failed_at","id") WHERE channel = 'kyc' AND state <> 'delivered' AND last_failed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "messages_walk" ON "messages" ("created_at","id");--> statement-breakpoint
CREATE INDEX "messages_state" ON "messages" ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_kyc_walk" ON "messages" ("direction","created_at","id") WHERE channel = 'kyc';--> statement-breakpoint
CREATE INDEX "messages_kyc_state" ON "messages" ("direction","state","created_at","id") WHERE channel = 'kyc';--> statement-breakpoint
ALTER TABLE "message_attempts" ADD CONSTRAINT "message_attempts_message_id_messages_id_fkey" FOREIGN KEY ("message_id") REFERENCES "messages"("id") ON DELETE CASCADE;--> statement-breakpoint
-- Whoever writes an event holds the row of its entity, so that no two number the same one at once; the unique key is
-- the proof. A statement's own earlier rows are seen, so that several events of an entity may come together.
CREATE FUNCTION number_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.sequence := 1 + coalesce((
    SELECT max(sequence) FROM messages WHERE entity_id = NEW.entity_id AND entity_type = NEW.entity_type), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER messages_numbered BEFORE INSERT ON messages FOR EACH ROW
  WHEN (NEW.channel = 'platform') EXECUTE FUNCTION number_message();--> statement-breakpoint
-- Leaves are `<channel>/<direction>/<state>`, where what is being sent still waits.
CREATE FUNCTION message_leaf(m messages) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN m.channel || '/' || m.direction || '/' || CASE m.state WHEN 'sending' THEN 'waiting' ELSE m.state END;--> statement-breakpoint
CREATE TRIGGER messages_added AFTER INSERT ON messages
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('messages', 'message_leaf(r)', 'r.created_at');--> statement-breakpoint
CREATE TRIGGER messages_changed AFTER UPDATE ON messages
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('messages', 'message_leaf(r)', 'r.created_at');--> statement-breakpoint
CREATE TRIGGER messages_removed AFTER DELETE ON messages
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('messages', 'message_leaf(r)', 'r.created_at');--> statement-breakpoint
-- The tries of the KYC Webhooks screen, counted by `success` and `failed` without a word of SQL to plan where events are
-- recorded. No try is ever changed.
CREATE FUNCTION count_kyc_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_deltas (list, leaf, day, rows)
    SELECT 'kyc_attempts', CASE WHEN success THEN 'success' ELSE 'failed' END, (created_at AT TIME ZONE 'UTC')::date, count(*)
    FROM added WHERE channel = 'kyc' GROUP BY 2, 3;
  ELSE
    INSERT INTO list_deltas (list, leaf, day, rows)
    SELECT 'kyc_attempts', CASE WHEN success THEN 'success' ELSE 'failed' END, (created_at AT TIME ZONE 'UTC')::date, -count(*)
    FROM removed WHERE channel = 'kyc' GROUP BY 2, 3;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER message_attempts_added AFTER INSERT ON message_attempts
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_kyc_attempts();--> statement-breakpoint
CREATE TRIGGER message_attempts_removed AFTER DELETE ON message_attempts
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_kyc_attempts();
