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
ALTER TABLE "messages" ADD COLUMN "payload" jsonb;--> statement-breakpoint
ALTER TABLE "alert_choices" ADD CONSTRAINT "alert_choices_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "alert_recipients" ADD CONSTRAINT "alert_recipients_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
-- Rows that are there had fewer channels, so that they need no look.
ALTER TABLE "messages" DROP CONSTRAINT "messages_channel_known", ADD CONSTRAINT "messages_channel_known" CHECK ("channel" IN ('platform', 'kyc', 'email', 'chat')) NOT VALID;