-- The mailbox that gets the mail of an address, by its identity: mailboxOf of email-rules.ts.
create or replace function mailbox_of(identity text) returns text language sql immutable as $$
  select coalesce(
    nullif(
      case split_part(identity, '@', 2)
        when 'gmail.com' then replace(substring(identity from '^[^+@]*'), '.', '')
        when 'googlemail.com' then replace(substring(identity from '^[^+@]*'), '.', '')
        when 'yahoo.com' then substring(identity from '^[^+@-]*')
        else substring(identity from '^[^+@]*')
      end, ''),
    split_part(identity, '@', 1)
  ) || '@' || case split_part(identity, '@', 2)
    when 'googlemail.com' then 'gmail.com'
    when 'protonmail.com' then 'proton.me'
    when 'protonmail.ch' then 'proton.me'
    when 'pm.me' then 'proton.me'
    when 'me.com' then 'icloud.com'
    when 'mac.com' then 'icloud.com'
    else split_part(identity, '@', 2)
  end
$$;
