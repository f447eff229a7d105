CREATE TABLE "change_marks" (
	"at" timestamp(3) with time zone PRIMARY KEY,
	"open_from" xid8 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "changed_in" xid8 DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "changed_in" xid8 DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "changed_in" xid8 DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
CREATE INDEX "outbox_changed" ON "outbox" ("changed_in","id");--> statement-breakpoint
CREATE INDEX "orders_changed" ON "orders" ("changed_in","id");--> statement-breakpoint
CREATE INDEX "members_changed" ON "members" ("changed_in","id");--> statement-breakpoint
-- A change grows the version, whoever makes it.
CREATE FUNCTION mark_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER members_change_marked BEFORE UPDATE ON members FOR EACH ROW
  WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION mark_change();--> statement-breakpoint
CREATE TRIGGER orders_change_marked BEFORE UPDATE ON orders FOR EACH ROW
  WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION mark_change();--> statement-breakpoint
-- Of which life of the database a cursor is: see docs/decisions/026.
INSERT INTO settings (name, value) VALUES ('change_lists', jsonb_build_object('epoch', gen_random_uuid(), 'system', NULL));
