ALTER TABLE "bank_parts" ADD COLUMN "made_with" uuid;--> statement-breakpoint
ALTER TABLE "bank_parts" ADD COLUMN "undone_with" uuid;--> statement-breakpoint
ALTER TABLE "bank_parts" ADD CONSTRAINT "bank_parts_undone_with_undone" CHECK ("undone_with" IS NULL OR "undone_at" IS NOT NULL);