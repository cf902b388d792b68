-- Stops what leaves the line, which may be a copy. Open offers keep the time that they had left.
create or replace function mark_copy(cause text, since timestamptz) returns void language sql as $$
  update line_home set copy_cause = cause, copy_since = since where copy_since is null;
  update mask_drop set paused_by = 'copy', paused_at = since
  where state = 'offering' and paused_at is null;
$$;
