ALTER TABLE "bank_imports" ADD COLUMN "unreadable_known_by" text;--> statement-breakpoint
ALTER TABLE "bank_imports" ADD COLUMN "unreadable_known_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "bank_imports" ADD COLUMN "unreadable_reason" text;--> statement-breakpoint
CREATE INDEX "bank_imports_unreadable" ON "bank_imports" ("created_at","id") WHERE unreadable_count > 0 AND undone_at IS NULL AND unreadable_known_at IS NULL;--> statement-breakpoint
ALTER TABLE "bank_imports" ADD CONSTRAINT "bank_imports_unreadable_whole" CHECK (("unreadable_known_at" IS NULL) = ("unreadable_known_by" IS NULL) AND ("unreadable_known_at" IS NULL) = ("unreadable_reason" IS NULL));