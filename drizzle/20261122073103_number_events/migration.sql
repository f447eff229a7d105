DROP INDEX "outbox_entity";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "sequence" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
-- One contract may be a token of both kinds, and those are two entities.
UPDATE outbox SET entity_id = (payload->>'kind') || '/' || entity_id WHERE entity_type = 'token';--> statement-breakpoint
-- Each event has grown its entity's version by at least one, from 1: of events so far the version is the least it can be,
-- so that none of them passes for newer than what follows.
UPDATE outbox AS o SET sequence = numbered.sequence, version = numbered.sequence + 1
FROM (SELECT id, row_number() OVER (PARTITION BY entity_type, entity_id ORDER BY id) AS sequence FROM outbox) AS numbered
WHERE o.id = numbered.id;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_sequence" UNIQUE("entity_type","entity_id","sequence");--> statement-breakpoint
-- Whoever writes an event holds the row of its entity, so that no two number the same one at once; the unique key is
-- the proof. A statement's own earlier rows are seen, so that several events of an entity may come together.
CREATE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.sequence := 1 + coalesce((
    SELECT max(sequence) FROM outbox WHERE entity_type = NEW.entity_type AND entity_id = NEW.entity_id), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER outbox_numbered BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION number_event();
