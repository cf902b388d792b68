-- The text as it was parsed when it was saved, which may take seconds: {problems, blocks}, with
-- sentences that keep it from being sent. Null when the text was saved before, or blotted out since.
alter table campaign add column parsed jsonb;
