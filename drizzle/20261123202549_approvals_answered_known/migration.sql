-- Who requested something notes that its end was seen, once, and nothing else of a closed request changes. What ended before
-- counts as seen, and who is disabled now was disabled last at that time. Locks the closed requests and the operators for a moment.
CREATE OR REPLACE FUNCTION keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  free text[] := ARRAY['state', 'decided_by', 'closed_at', 'comment', 'failure'];
BEGIN
  IF OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND NEW.body IS NULL AND NEW.changes = '[]' THEN
    free := ARRAY['target_name', 'body', 'changes', 'comment', 'failure', 'erased_at'];
    IF OLD.state = 'open' AND NEW.state = 'expired' THEN
      free := free || ARRAY['state', 'closed_at'];
    END IF;
  ELSIF OLD.state <> 'open' AND OLD.seen_at IS NULL AND NEW.seen_at IS NOT NULL THEN
    free := ARRAY['seen_at'];
  ELSIF OLD.state <> 'open' THEN
    RAISE EXCEPTION 'request % is closed', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF to_jsonb(NEW) - free <> to_jsonb(OLD) - free THEN
    RAISE EXCEPTION 'what request % asks for does not change', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
UPDATE approvals SET seen_at = closed_at WHERE state <> 'open';--> statement-breakpoint
UPDATE admins SET last_disabled_at = disabled_at WHERE disabled_at IS NOT NULL;
