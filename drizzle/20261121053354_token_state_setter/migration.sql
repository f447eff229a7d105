ALTER TABLE "tokens" ADD COLUMN "active_set_by" text;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "active_set_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_active_setter" CHECK (num_nulls("active_set_by", "active_set_at") IN (0, 2));