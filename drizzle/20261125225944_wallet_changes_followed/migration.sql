-- The reader of the chain finds wallets that came or went without counting them (docs/decisions/098). A row for each, since
-- whichever transaction commits later than another brings its own.
CREATE FUNCTION note_wallet_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO wallet_changes (address) VALUES (OLD.address);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO wallet_changes (address) VALUES (NEW.address);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER wallets_change_noted AFTER INSERT OR DELETE OR UPDATE OF address ON wallets
  FOR EACH ROW EXECUTE FUNCTION note_wallet_change();
