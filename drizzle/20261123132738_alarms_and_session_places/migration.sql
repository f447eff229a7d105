-- Locks sessions and security_events for a moment each, and data_access while its rows are compared with the new check. The
-- index over events without a number reads them once: all of them are numbered later, in batches, when an output is set.
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
ALTER TABLE "sessions" ADD COLUMN "confirmed_places" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "reported_places" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "security_events" ADD COLUMN "seq" bigint;--> statement-breakpoint
CREATE INDEX "data_access_exports" ON "data_access" ("admin_id","at") WHERE kind = 'export';--> statement-breakpoint
CREATE UNIQUE INDEX "security_events_seq" ON "security_events" ("seq");--> statement-breakpoint
CREATE INDEX "security_events_unnumbered" ON "security_events" ("id") WHERE seq IS NULL;--> statement-breakpoint
ALTER TABLE "data_access" DROP CONSTRAINT "data_access_kind_known", ADD CONSTRAINT "data_access_kind_known" CHECK ("kind" IN ('member', 'members', 'kyc_case', 'kyc_lists', 'order', 'orders', 'transactions', 'search', 'export'));