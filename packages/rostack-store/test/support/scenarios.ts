/** What an application does with its table. */
export interface Scenario {
  readonly name: string;
  /** The first PostgreSQL that knows such statements, where that is not the oldest supported one. */
  readonly since?: number;
  /** Runs before the table is attached. */
  readonly prepare?: string;
  /** T is the table, with the rows 1 to 10; S the application's schema. */
  readonly statements: readonly string[];
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'many rows at once',
    statements: [
      `update T set height = id where id > 3`,
      `delete from T where id > 7`,
      `insert into T (id, station) select i, 'more' from generate_series(20, 40) i`,
    ],
  },
  {
    name: 'several statements in one message',
    statements: [
      `update T set height = 1 where id = 1`,
      `update T set height = 2 where id = 1`,
      `delete from T where id = 1`,
      `insert into T (id, station) values (1, 'again')`,
      `update T set id = 99 where id = 1`,
      `update T set id = 1 where id = 99`,
    ],
  },
  {
    name: 'a loop in the server',
    statements: [
      `do $$ begin for i in 1..9 loop update T set height = i where id = i; update T set id = i + 100 where id = i; end loop; end $$`,
    ],
  },
  {
    name: 'on conflict',
    statements: [
      `insert into T (id, station) select i, 'upsert' from generate_series(5, 15) i on conflict (id) do update set station = excluded.station, height = 7`,
      `insert into T (id, station) values (3, 'one') on conflict (id) do update set height = 8`,
      `insert into T (id, station) values (3, 'no') on conflict do nothing`,
    ],
  },
  {
    name: 'merge',
    since: 15,
    statements: [
      `merge into T using (select i from generate_series(4, 14) i) s on T.id = s.i when matched and s.i < 6 then delete when matched then update set height = s.i when not matched then insert (id, station) values (s.i, 'merged')`,
    ],
  },
  {
    name: 'statements within a statement',
    statements: [
      `with gone as (delete from T where id < 5 returning *), new as (insert into T (id, station) values (50, 'cte')), moved as (update T set id = 60 where id = 6) insert into T (id, station, rev) select id, 'back', rev from gone where id < 4`,
      `with moved as (update T set id = 70 where id = 7 returning 1) insert into T (id, station) select 7, 'taken' from moved`,
    ],
  },
  {
    name: 'keys that move on',
    statements: [
      // Every key moves on to one that another row has just left.
      `update T set id = id - 1`,
      `update T set id = id - 1`,
      `update T set id = id - 1 where id < 4`,
      `update T set id = case id when 5 then 25 else 5 end where id in (5, 6)`,
    ],
  },
  {
    name: 'copies',
    statements: [
      `create temp table copied on commit drop as select * from T`,
      `delete from T`,
      `insert into T select * from copied where id % 2 = 0`,
      `copy T (id, station) from program 'seq -f "%g,copied" 80 90' (format csv)`,
    ],
  },
  {
    name: 'savepoints',
    statements: [
      `update T set height = 1`,
      `savepoint one`,
      `update T set height = 2`,
      `delete from T where id = 1`,
      `rollback to one`,
      `savepoint two`,
      `update T set id = id + 20`,
      `rollback to two`,
      `update T set station = 'kept' where id = 2`,
      `savepoint three`,
      `truncate T`,
      `rollback to three`,
      `update T set height = 3 where id > 8`,
    ],
  },
  {
    name: 'a truncation between',
    statements: [
      `update T set height = 1`,
      `truncate T`,
      `insert into T (id, station) select i, 'after' from generate_series(1, 30) i`,
      `delete from T where id = 30`,
    ],
  },
  {
    name: 'a function in returning',
    prepare: `create function S.f(k int) returns int language plpgsql as $$ begin
      update T set station = 'by f', height = 5 where id = k; if k % 3 = 0 then delete from T where id = k; elsif k % 3 = 1 then update T set id = k + 1000 where id = k; end if; return k; end $$`,
    statements: [
      `insert into T (id, station) values (200, 'one') returning S.f(id)`,
      `insert into T (id, station) values (201, 'one') returning S.f(id)`,
      `insert into T (id, station) values (202, 'one') returning S.f(id)`,
      `insert into T (id, station) select i, 'one' from generate_series(300, 320) i returning S.f(id)`,
      `update T set station = 'outer' where id < 8 returning S.f(id)`,
    ],
  },
  {
    name: 'a trigger for rows that changes the same rows',
    prepare: `create function S.g() returns trigger language plpgsql as $$ begin
      if pg_trigger_depth() = 1 then update T set height = coalesce(height, 0) + 1, station = 'inner' where id = NEW.id; update T set id = NEW.id + 500 where id = NEW.id and id % 4 = 0; delete from T where id = NEW.id + 1 and id % 5 = 0; end if; return null; end $$;
      create trigger a_g after insert or update on T for each row execute function S.g(); create trigger zz_g after insert or update on T for each row execute function S.g()`,
    statements: [
      `update T set station = 'outer' where id = 2`,
      `update T set station = 'outer'`,
      `insert into T (id, station) values (41, 'outer'), (44, 'outer')`,
      `insert into T (id, station) values (45, 'outer')`,
    ],
  },
  {
    name: 'a trigger for rows that comes before',
    prepare: `create function S.b() returns trigger language plpgsql as $$ begin
      NEW.height := 77; if NEW.id % 2 = 0 then NEW.id := NEW.id + 600; end if; if pg_trigger_depth() = 1 then update T set station = 'by before' where id = NEW.id + 1; end if; return NEW; end $$;
      create trigger b before insert or update on T for each row execute function S.b()`,
    statements: [
      `update T set station = 'outer' where id = 2`,
      `update T set station = 'outer' where id in (1, 3, 7)`,
      `insert into T (id, station) values (51, 'outer'), (52, 'outer')`,
    ],
  },
  {
    name: 'triggers for statements that change the same rows',
    prepare: `create function S.h() returns trigger language plpgsql as $$ begin
      if pg_trigger_depth() = 1 then update T set height = 9, station = TG_NAME where id < 4; delete from T where id = 5; update T set id = id + 700 where id = 6; insert into T (id, station) values (5, 'new') on conflict do nothing; end if; return null; end $$;
      create trigger a_h after insert or update or delete on T for each statement execute function S.h(); create trigger zz_h after insert or update or delete on T for each statement execute function S.h();
      create trigger bb_h before insert on T for each statement execute function S.h()`,
    statements: [
      `update T set station = 'outer' where id = 2`,
      `update T set station = 'outer'`,
      `delete from T where id in (2, 3)`,
      `insert into T (id, station) values (61, 'outer')`,
    ],
  },
  {
    name: 'a constraint trigger at the end',
    prepare: `create function S.d() returns trigger language plpgsql as $$ begin
      if pg_trigger_depth() = 1 then update T set height = coalesce(height, 0) + 1 where id = NEW.id; update T set id = id + 800 where id = NEW.id and id % 2 = 0; end if; return null; end $$;
      create constraint trigger d after update on T deferrable initially deferred for each row execute function S.d()`,
    statements: [
      `update T set station = 'outer'`,
      `update T set station = 'outer' where id = 3`,
      `set constraints all immediate`,
      `update T set station = 'last' where id < 4`,
    ],
  },
  {
    name: 'cascades of the table to itself',
    prepare: `alter table T add parent int references T on update cascade on delete cascade, add friend int references T on update cascade on delete set null;
      update T set parent = case when id > 1 then id / 2 end, friend = nullif(id, 1)`,
    statements: [
      `update T set id = 101 where id = 1`,
      `update T set id = 102, height = 3 where id = 2`,
      `delete from T where id = 3`,
      `update T set id = id + 200 where id > 6`,
      `delete from T where id in (4, 8)`,
    ],
  },
  {
    name: 'five thousand rows',
    statements: [
      `insert into T (id, station) select i, 'many' from generate_series(1000, 5999) i`,
      `update T set height = id where id >= 1000`,
      `update T set id = id - 1 where id >= 1000`,
      `delete from T where id > 3000`,
    ],
  },
  {
    name: 'five thousand rows, and nested changes of some',
    prepare: `create function S.n() returns trigger language plpgsql as $$ begin
      if pg_trigger_depth() = 1 and NEW.id % 50 = 0 then update T set station = 'inner' where id = NEW.id - 7; update T set id = id + 90000 where id = NEW.id; delete from T where id = NEW.id - 9; end if; return null; end $$;
      create trigger n after insert or update on T for each row execute function S.n()`,
    statements: [
      `insert into T (id, station) select i, 'many' from generate_series(1000, 5999) i`,
      `update T set height = id where id >= 1000`,
    ],
  },
  {
    name: 'replication',
    statements: [
      `set local session_replication_role = replica`,
      `update T set height = 5`,
      `update T set id = id + 300 where id < 4`,
      `delete from T where id = 5`,
      `insert into T (id, station) select i, 'replica' from generate_series(70, 75) i`,
      `truncate T`,
      `insert into T (id, station) values (1, 'replica')`,
      `set local session_replication_role = origin`,
      `update T set height = 6`,
      `set local session_replication_role = local`,
      `insert into T (id, station) values (2, 'local')`,
    ],
  },
  {
    name: 'columns that are gone, came later, and have the names that the triggers use',
    prepare: `alter table T drop secret; alter table T add rostack_place int default 0, add r int default 1, add n int default 2, add o int default 3, add t int default 4, add k int default 5, add p int default 6,
      add place int default 7, add keys int default 8, add "rows" int default 9, add gone int default 10, add v_rows int default 11, add v_gone int default 12`,
    statements: [
      `insert into T (id, station) select i, 'many' from generate_series(1001, 1300) i`,
      `update T set height = id, t = 5, r = 7`,
      `update T set id = id + 5000 where id > 5`,
      `delete from T where id < 1250 and id > 3`,
      `update T set height = 1 where id = 1`,
    ],
  },
];
