-- Each refused line of an import now has a code; what was kept of earlier batches gets the one that most of them had.
UPDATE import_batches SET result = jsonb_set(result, '{errors}', (
  SELECT coalesce(jsonb_agg('{"code": "invalid"}'::jsonb || error ORDER BY place), '[]')
  FROM jsonb_array_elements(result->'errors') WITH ORDINALITY AS of(error, place)));
