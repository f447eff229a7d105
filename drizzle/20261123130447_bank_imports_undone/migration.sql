-- Holds bank_imports, bank_lines, bank_statement_lines and payer_accounts against writes while it indexes them: some seconds for a
-- million lines.
ALTER TABLE "bank_imports" DROP CONSTRAINT "bank_imports_file";--> statement-breakpoint
ALTER TABLE "bank_imports" ADD COLUMN "account_ids" bigint[] DEFAULT '{}'::bigint[] NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_imports" ADD COLUMN "undone_by" text;--> statement-breakpoint
ALTER TABLE "bank_imports" ADD COLUMN "undone_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "bank_imports" ADD COLUMN "undo_reason" text;--> statement-breakpoint
ALTER TABLE "bank_statement_lines" ADD COLUMN "booked_from" text;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD COLUMN "gap_known_by" text;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD COLUMN "gap_known_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD COLUMN "gap_reason" text;--> statement-breakpoint
CREATE INDEX "payer_accounts_line" ON "payer_accounts" ("line_id");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_imports_file" ON "bank_imports" ("sha256") WHERE undone_at IS NULL;--> statement-breakpoint
CREATE INDEX "bank_lines_covered" ON "bank_lines" ("covered_by") WHERE covered_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_statement_lines_statement" ON "bank_statement_lines" ("statement_id");--> statement-breakpoint
ALTER TABLE "bank_imports" ADD CONSTRAINT "bank_imports_undone_whole" CHECK (("undone_at" IS NULL) = ("undone_by" IS NULL) AND ("undone_at" IS NULL) = ("undo_reason" IS NULL));--> statement-breakpoint
ALTER TABLE "bank_statements" ADD CONSTRAINT "bank_statements_gap_whole" CHECK (("gap_known_at" IS NULL) = ("gap_known_by" IS NULL) AND ("gap_known_at" IS NULL) = ("gap_reason" IS NULL));