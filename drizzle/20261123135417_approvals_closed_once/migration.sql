-- A request is closed once, and what was requested never changes, whoever writes, but for the erasure of a member. Locks the new
-- table for a moment.
CREATE FUNCTION keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  free text[] := ARRAY['state', 'decided_by', 'closed_at', 'comment', 'failure'];
BEGIN
  IF OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND NEW.body IS NULL AND NEW.changes = '[]' THEN
    free := ARRAY['target_name', 'body', 'changes', 'comment', 'failure', 'erased_at'];
    IF OLD.state = 'open' AND NEW.state = 'expired' THEN
      free := free || ARRAY['state', 'closed_at'];
    END IF;
  ELSIF OLD.state <> 'open' THEN
    RAISE EXCEPTION 'request % is closed', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF to_jsonb(NEW) - free <> to_jsonb(OLD) - free THEN
    RAISE EXCEPTION 'what request % asks for does not change', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER approvals_kept BEFORE UPDATE ON approvals FOR EACH ROW EXECUTE FUNCTION keep_approval();
