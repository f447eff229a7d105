CREATE TABLE "note_mentions" (
	"note_id" bigint,
	"admin_id" bigint,
	"seen_at" timestamp(3) with time zone,
	CONSTRAINT "note_mentions_pkey" PRIMARY KEY("note_id","admin_id")
);
--> statement-breakpoint
CREATE INDEX "note_mentions_unseen" ON "note_mentions" ("admin_id","note_id") WHERE seen_at IS NULL;--> statement-breakpoint
ALTER TABLE "note_mentions" ADD CONSTRAINT "note_mentions_note_id_notes_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "note_mentions" ADD CONSTRAINT "note_mentions_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id");