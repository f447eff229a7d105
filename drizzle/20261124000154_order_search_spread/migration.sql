-- A member with many orders is changed without them: each order's text is in an index of its own, so that they took as long as
-- thousands of changes. The job `spread-names` gives it to them in batches, a moment later.
CREATE OR REPLACE FUNCTION give_member_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM (SELECT FROM orders WHERE member_id = NEW.id LIMIT 101) AS few) <= 100 THEN
    UPDATE orders SET member_search = NEW.search WHERE member_id = NEW.id;
  ELSE
    -- A batch that is under way has the row: it ends first, and finds the row again, or its successor.
    INSERT INTO order_search_due (member_id) VALUES (NEW.id) ON CONFLICT (member_id) DO UPDATE SET created_at = now();
  END IF;
  RETURN NULL;
END $$;
