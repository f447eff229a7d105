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
CREATE INDEX "bulk_items_walk" ON "bulk_items" ("job_id","id");--> statement-breakpoint
CREATE INDEX "bulk_items_states" ON "bulk_items" ("job_id","state");--> statement-breakpoint
CREATE INDEX "bulk_items_waiting" ON "bulk_items" ("job_id","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_items_once" ON "bulk_items" ("job_id","entity_id");--> statement-breakpoint
CREATE INDEX "bulk_items_member" ON "bulk_items" ("member_id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_walk" ON "bulk_jobs" ("created_at","id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_of" ON "bulk_jobs" ("created_by","created_at","id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_running" ON "bulk_jobs" ("id") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "bulk_jobs_unseen" ON "bulk_jobs" ("created_by") WHERE seen_at IS NULL AND ended_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE "bulk_items" ADD CONSTRAINT "bulk_items_job_id_bulk_jobs_id_fkey" FOREIGN KEY ("job_id") REFERENCES "bulk_jobs"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_created_by_admins_id_fkey" FOREIGN KEY ("created_by") REFERENCES "admins"("id");