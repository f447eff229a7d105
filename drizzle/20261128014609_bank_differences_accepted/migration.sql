ALTER TABLE "bank_statements" ADD COLUMN "difference_known_by" text;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD COLUMN "difference_known_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD COLUMN "difference_reason" text;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD CONSTRAINT "bank_statements_difference_whole" CHECK (("difference_known_at" IS NULL) = ("difference_known_by" IS NULL) AND ("difference_known_at" IS NULL) = ("difference_reason" IS NULL)) NOT VALID;