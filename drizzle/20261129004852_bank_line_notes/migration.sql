ALTER TABLE "notes" ADD COLUMN "bank_line_id" bigint;--> statement-breakpoint
ALTER TABLE "notes" ALTER COLUMN "member_id" DROP NOT NULL;--> statement-breakpoint
CREATE INDEX "notes_bank_line" ON "notes" ("bank_line_id","created_at","id") WHERE bank_line_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_bank_line_id_bank_lines_id_fkey" FOREIGN KEY ("bank_line_id") REFERENCES "bank_lines"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_subject" CHECK (num_nonnulls("member_id", "bank_line_id") = 1);