-- Alerts are counted as a kind of their own. There are none yet, so that the counts stay as they are and only the function changes.
DO $migration$
DECLARE
  before text := $$WHEN t.channel = 'kyc' AND t.direction = 'in' THEN 'result' END$$;
  after text := $$WHEN t.channel = 'kyc' AND t.direction = 'in' THEN 'result' WHEN t.channel IN ('email', 'chat') THEN 'alert' END$$;
  present text := pg_get_functiondef('count_messages'::regproc);
BEGIN
  IF strpos(present, before) = 0 THEN
    RAISE EXCEPTION 'count_messages is not as it was declared';
  END IF;
  EXECUTE replace(present, before, after);
END $migration$;
