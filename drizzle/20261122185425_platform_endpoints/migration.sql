-- Events were rows of messages, which no release has ever had: they are not carried over.
DELETE FROM messages WHERE channel = 'platform';--> statement-breakpoint
DELETE FROM settings WHERE name = 'platform_events_paused';--> statement-breakpoint
DROP TRIGGER messages_numbered ON messages;--> statement-breakpoint
DROP FUNCTION number_message();--> statement-breakpoint
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
ALTER TABLE "messages" DROP CONSTRAINT "messages_sequence";--> statement-breakpoint
DROP INDEX "messages_changed";--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "endpoint_id" bigint;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "event_row" bigint;--> statement-breakpoint
ALTER TABLE "messages" DROP COLUMN "sequence";--> statement-breakpoint
ALTER TABLE "messages" DROP COLUMN "version";--> statement-breakpoint
ALTER TABLE "messages" DROP COLUMN "payload";--> statement-breakpoint
ALTER TABLE "messages" DROP COLUMN "changed_in";--> statement-breakpoint
DROP INDEX "messages_sent_id";--> statement-breakpoint
CREATE INDEX "messages_sent_id" ON "messages" ("message_id") WHERE direction = 'out';--> statement-breakpoint
DROP INDEX "messages_due";--> statement-breakpoint
CREATE INDEX "messages_due" ON "messages" ("channel","endpoint_id","next_try_at","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "messages_entity" ON "messages" ("entity_id","entity_type","id");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_event" ON "messages" ("event_row","endpoint_id") WHERE channel = 'platform';--> statement-breakpoint
CREATE INDEX "messages_endpoint_walk" ON "messages" ("endpoint_id","created_at","id") WHERE channel = 'platform';--> statement-breakpoint
CREATE INDEX "messages_endpoint_open" ON "messages" ("endpoint_id","created_at") WHERE channel = 'platform' AND state IN ('waiting', 'sending');--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_state_known", ADD CONSTRAINT "messages_state_known" CHECK (CASE "direction" WHEN 'out' THEN "state" IN ('waiting', 'sending', 'delivered', 'failed', 'dropped') WHEN 'in' THEN "state" IN ('applied', 'recorded', 'duplicate', 'refused') ELSE false END);--> statement-breakpoint
CREATE UNIQUE INDEX "platform_endpoints_name" ON "platform_endpoints" (lower("name")) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX "platform_events_changed" ON "platform_events" ("changed_in","id");--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_endpoint_id_platform_endpoints_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "platform_endpoints"("id");--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_event_row_platform_events_id_fkey" FOREIGN KEY ("event_row") REFERENCES "platform_events"("id");--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_of_events" CHECK (("channel" = 'platform') = ("endpoint_id" IS NOT NULL) AND ("channel" = 'platform') = ("event_row" IS NOT NULL));--> statement-breakpoint
-- The endpoint of the settings is the first.
INSERT INTO platform_endpoints (name, created_by) VALUES ('Platform', 'settings');--> statement-breakpoint
-- Whoever writes an event holds the row of its entity, so that no two number the same one at once; the unique key is
-- the proof. A statement's own earlier rows are seen, so that several events of an entity may come together.
CREATE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.sequence := 1 + coalesce((
    SELECT max(sequence) FROM platform_events WHERE entity_id = NEW.entity_id AND entity_type = NEW.entity_type), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER platform_events_numbered BEFORE INSERT ON platform_events FOR EACH ROW EXECUTE FUNCTION number_event();--> statement-breakpoint
-- Leaves are `<channel>/<direction>/<state>/<endpoint>`, where what is being sent still waits; the endpoint is one of
-- events, else nothing.
CREATE OR REPLACE FUNCTION message_leaf(m messages) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN m.channel || '/' || m.direction || '/' || CASE m.state WHEN 'sending' THEN 'waiting' ELSE m.state END
  || '/' || coalesce(m.endpoint_id::text, '');--> statement-breakpoint
DELETE FROM list_deltas WHERE list = 'messages';--> statement-breakpoint
DELETE FROM list_totals WHERE list = 'messages';--> statement-breakpoint
DELETE FROM list_days WHERE list = 'messages';--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'messages', message_leaf(m), (created_at AT TIME ZONE 'UTC')::date, count(*) FROM messages AS m GROUP BY 2, 3;
