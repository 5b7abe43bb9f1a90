-- A table to play with. Any table with a primary key will do: name yours in package.json.
create table if not exists public.notes (
  id      bigint generated always as identity primary key,
  text    text not null,
  made_at timestamptz not null default now(),
  made_by text
);
insert into public.notes (text, made_by) values ('Buy kimchi', 'me');
