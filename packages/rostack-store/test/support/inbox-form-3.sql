create table STORE."inbox_1" (
        number bigint generated always as identity primary key,
        xid xid8 not null default pg_catalog.pg_current_xact_id(),
        kind "char" not null,
        size int not null,
        gone text[],
        rows text[]
      ) with (toast_tuple_target = 8160, vacuum_truncate = false, toast.vacuum_truncate = false, autovacuum_vacuum_scale_factor = 0,
        autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0,
        autovacuum_analyze_threshold = 100000);

alter table STORE."inbox_1" alter gone set storage external, alter rows set storage external;

revoke all on STORE."inbox_1" from public;

create function STORE."capture_1"() returns trigger security definer set enable_seqscan = off set plan_cache_mode = force_generic_plan set extra_float_digits = 1 set intervalstyle = 'iso_8601' set row_security = off language plpgsql as '<<capture>>
declare
  is_moved pg_catalog.bool;
  is_doubtful pg_catalog.bool;
  v_kind "char" := ''w'';
  v_size pg_catalog.int4;
  v_gone pg_catalog.text[];
  v_rows pg_catalog.text[];
  v_moment pg_catalog.text := extract(epoch from pg_catalog.statement_timestamp())::pg_catalog.text;
begin
  if TG_OP operator(pg_catalog.=) ''TRUNCATE'' then
    insert into STORE."inbox_1" (kind, size) values (''t'', 1);
    return null;
  end if;
  begin
    is_moved := false;
    is_doubtful := is_moved or coalesce(pg_catalog.current_setting(''rostack.captured_HASH_1'', true) operator(pg_catalog.=) v_moment, false);
    select pg_catalog.count(*), pg_catalog.array_agg(c.id) filter (where c.image is null),
        pg_catalog.array_agg(c.image) filter (where c.image is not null) into v_size, v_gone, v_rows from (select * from (select (r."id"::pg_catalog.text) as id, (select array[(t."id"::pg_catalog.text), t."station"::pg_catalog."text"::pg_catalog.text, t."height"::pg_catalog."float8"::pg_catalog.text, t."amount"::pg_catalog."numeric"::pg_catalog.text, t."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] from only APP."observations" t
    where (t."id") operator(pg_catalog.=) (r."id")
    and (t."id"::pg_catalog.text) operator(pg_catalog.=) (r."id"::pg_catalog.text)) as image from (
      select NEW."id" as "id" where TG_OP operator(pg_catalog.<>) ''DELETE'' union all
      select OLD."id" as "id" where TG_OP operator(pg_catalog.<>) ''INSERT'' and (TG_OP operator(pg_catalog.=) ''DELETE'' or (OLD."id"::pg_catalog.text) operator(pg_catalog.<>) (NEW."id"::pg_catalog.text))) r) r limit 201) c;
    if v_size operator(pg_catalog.>) 200 then
      for v_size, v_gone, v_rows in
        select pg_catalog.count(*), pg_catalog.array_agg(c.id) filter (where c.image is null),
        pg_catalog.array_agg(c.image) filter (where c.image is not null) from (select (pg_catalog.row_number() over () operator(pg_catalog.-) 1) operator(pg_catalog./) 200 as chunk, r.* from (select (r."id"::pg_catalog.text) as id, (select array[(t."id"::pg_catalog.text), t."station"::pg_catalog."text"::pg_catalog.text, t."height"::pg_catalog."float8"::pg_catalog.text, t."amount"::pg_catalog."numeric"::pg_catalog.text, t."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] from only APP."observations" t
    where (t."id") operator(pg_catalog.=) (r."id")
    and (t."id"::pg_catalog.text) operator(pg_catalog.=) (r."id"::pg_catalog.text)) as image from (
      select NEW."id" as "id" where TG_OP operator(pg_catalog.<>) ''DELETE'' union all
      select OLD."id" as "id" where TG_OP operator(pg_catalog.<>) ''INSERT'' and (TG_OP operator(pg_catalog.=) ''DELETE'' or (OLD."id"::pg_catalog.text) operator(pg_catalog.<>) (NEW."id"::pg_catalog.text))) r) r) c group by c.chunk order by c.chunk
      loop
        insert into STORE."inbox_1" (kind, size, gone, rows) values (v_kind, v_size, v_gone, v_rows);
      end loop;
      v_size := null;
    end if;
  exception when others then
    v_kind := ''e'';
    v_size := 1;
    v_gone := null;
    v_rows := null;
  end;
  if v_size operator(pg_catalog.=) 0 then
    return null;
  end if;
  if v_size is not null then
    insert into STORE."inbox_1" (kind, size, gone, rows) values (v_kind, v_size, v_gone, v_rows);
  end if;
  v_moment := pg_catalog.set_config(''rostack.captured_HASH_1'', v_moment, true);
  return null;
end
';

revoke all on function STORE."capture_1"() from public;

create function STORE."capture_1_insert"() returns trigger security definer set enable_seqscan = off set plan_cache_mode = force_generic_plan set extra_float_digits = 1 set intervalstyle = 'iso_8601' set row_security = off language plpgsql as '<<capture>>
declare
  is_moved pg_catalog.bool;
  is_doubtful pg_catalog.bool;
  v_kind "char" := ''w'';
  v_size pg_catalog.int4;
  v_gone pg_catalog.text[];
  v_rows pg_catalog.text[];
  v_moment pg_catalog.text := extract(epoch from pg_catalog.statement_timestamp())::pg_catalog.text;
begin
  if TG_OP operator(pg_catalog.=) ''TRUNCATE'' then
    insert into STORE."inbox_1" (kind, size) values (''t'', 1);
    return null;
  end if;
  begin
    is_moved := false;
    is_doubtful := is_moved or coalesce(pg_catalog.current_setting(''rostack.captured_HASH_1'', true) operator(pg_catalog.=) v_moment, false);
    select pg_catalog.count(*), pg_catalog.array_agg(c.id) filter (where c.image is null),
        pg_catalog.array_agg(c.image) filter (where c.image is not null) into v_size, v_gone, v_rows from (select * from (select (r."id"::pg_catalog.text) as id, case when capture.is_doubtful then (select array[(t."id"::pg_catalog.text), t."station"::pg_catalog."text"::pg_catalog.text, t."height"::pg_catalog."float8"::pg_catalog.text, t."amount"::pg_catalog."numeric"::pg_catalog.text, t."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] from only APP."observations" t
    where (t."id") operator(pg_catalog.=) (r."id")
    and (t."id"::pg_catalog.text) operator(pg_catalog.=) (r."id"::pg_catalog.text)) else array[(r."id"::pg_catalog.text), r."station"::pg_catalog."text"::pg_catalog.text, r."height"::pg_catalog."float8"::pg_catalog.text, r."amount"::pg_catalog."numeric"::pg_catalog.text, r."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] end as image
      from new_table r) r limit 201) c;
    if v_size operator(pg_catalog.>) 200 then
      for v_size, v_gone, v_rows in
        select pg_catalog.count(*), pg_catalog.array_agg(c.id) filter (where c.image is null),
        pg_catalog.array_agg(c.image) filter (where c.image is not null) from (select (pg_catalog.row_number() over () operator(pg_catalog.-) 1) operator(pg_catalog./) 200 as chunk, r.* from (select (r."id"::pg_catalog.text) as id, case when capture.is_doubtful then (select array[(t."id"::pg_catalog.text), t."station"::pg_catalog."text"::pg_catalog.text, t."height"::pg_catalog."float8"::pg_catalog.text, t."amount"::pg_catalog."numeric"::pg_catalog.text, t."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] from only APP."observations" t
    where (t."id") operator(pg_catalog.=) (r."id")
    and (t."id"::pg_catalog.text) operator(pg_catalog.=) (r."id"::pg_catalog.text)) else array[(r."id"::pg_catalog.text), r."station"::pg_catalog."text"::pg_catalog.text, r."height"::pg_catalog."float8"::pg_catalog.text, r."amount"::pg_catalog."numeric"::pg_catalog.text, r."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] end as image
      from new_table r) r) c group by c.chunk order by c.chunk
      loop
        insert into STORE."inbox_1" (kind, size, gone, rows) values (v_kind, v_size, v_gone, v_rows);
      end loop;
      v_size := null;
    end if;
  exception when others then
    v_kind := ''e'';
    v_size := 1;
    v_gone := null;
    v_rows := null;
  end;
  if v_size operator(pg_catalog.=) 0 then
    return null;
  end if;
  if v_size is not null then
    insert into STORE."inbox_1" (kind, size, gone, rows) values (v_kind, v_size, v_gone, v_rows);
  end if;
  v_moment := pg_catalog.set_config(''rostack.captured_HASH_1'', v_moment, true);
  return null;
end
';

revoke all on function STORE."capture_1_insert"() from public;

create function STORE."capture_1_update"() returns trigger security definer set enable_seqscan = off set plan_cache_mode = force_generic_plan set extra_float_digits = 1 set intervalstyle = 'iso_8601' set row_security = off language plpgsql as '<<capture>>
declare
  is_moved pg_catalog.bool;
  is_doubtful pg_catalog.bool;
  v_kind "char" := ''w'';
  v_size pg_catalog.int4;
  v_gone pg_catalog.text[];
  v_rows pg_catalog.text[];
  v_moment pg_catalog.text := extract(epoch from pg_catalog.statement_timestamp())::pg_catalog.text;
begin
  if TG_OP operator(pg_catalog.=) ''TRUNCATE'' then
    insert into STORE."inbox_1" (kind, size) values (''t'', 1);
    return null;
  end if;
  begin
    is_moved := array(select (r."id"::pg_catalog.text) from old_table r) operator(pg_catalog.<>) array(select (r."id"::pg_catalog.text) from new_table r);
    is_doubtful := is_moved or coalesce(pg_catalog.current_setting(''rostack.captured_HASH_1'', true) operator(pg_catalog.=) v_moment, false);
    select pg_catalog.count(*), pg_catalog.array_agg(c.id) filter (where c.image is null),
        pg_catalog.array_agg(c.image) filter (where c.image is not null) into v_size, v_gone, v_rows from (select * from (select (r."id"::pg_catalog.text) as id, case when capture.is_doubtful then (select array[(t."id"::pg_catalog.text), t."station"::pg_catalog."text"::pg_catalog.text, t."height"::pg_catalog."float8"::pg_catalog.text, t."amount"::pg_catalog."numeric"::pg_catalog.text, t."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] from only APP."observations" t
    where (t."id") operator(pg_catalog.=) (r."id")
    and (t."id"::pg_catalog.text) operator(pg_catalog.=) (r."id"::pg_catalog.text)) else array[(r."id"::pg_catalog.text), r."station"::pg_catalog."text"::pg_catalog.text, r."height"::pg_catalog."float8"::pg_catalog.text, r."amount"::pg_catalog."numeric"::pg_catalog.text, r."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] end as image
      from new_table r union all select (r."id"::pg_catalog.text), (select array[(t."id"::pg_catalog.text), t."station"::pg_catalog."text"::pg_catalog.text, t."height"::pg_catalog."float8"::pg_catalog.text, t."amount"::pg_catalog."numeric"::pg_catalog.text, t."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] from only APP."observations" t
    where (t."id") operator(pg_catalog.=) (r."id")
    and (t."id"::pg_catalog.text) operator(pg_catalog.=) (r."id"::pg_catalog.text)) from old_table r where capture.is_moved) r limit 201) c;
    if v_size operator(pg_catalog.>) 200 then
      for v_size, v_gone, v_rows in
        select pg_catalog.count(*), pg_catalog.array_agg(c.id) filter (where c.image is null),
        pg_catalog.array_agg(c.image) filter (where c.image is not null) from (select (pg_catalog.row_number() over () operator(pg_catalog.-) 1) operator(pg_catalog./) 200 as chunk, r.* from (select (r."id"::pg_catalog.text) as id, case when capture.is_doubtful then (select array[(t."id"::pg_catalog.text), t."station"::pg_catalog."text"::pg_catalog.text, t."height"::pg_catalog."float8"::pg_catalog.text, t."amount"::pg_catalog."numeric"::pg_catalog.text, t."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] from only APP."observations" t
    where (t."id") operator(pg_catalog.=) (r."id")
    and (t."id"::pg_catalog.text) operator(pg_catalog.=) (r."id"::pg_catalog.text)) else array[(r."id"::pg_catalog.text), r."station"::pg_catalog."text"::pg_catalog.text, r."height"::pg_catalog."float8"::pg_catalog.text, r."amount"::pg_catalog."numeric"::pg_catalog.text, r."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] end as image
      from new_table r union all select (r."id"::pg_catalog.text), (select array[(t."id"::pg_catalog.text), t."station"::pg_catalog."text"::pg_catalog.text, t."height"::pg_catalog."float8"::pg_catalog.text, t."amount"::pg_catalog."numeric"::pg_catalog.text, t."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] from only APP."observations" t
    where (t."id") operator(pg_catalog.=) (r."id")
    and (t."id"::pg_catalog.text) operator(pg_catalog.=) (r."id"::pg_catalog.text)) from old_table r where capture.is_moved) r) c group by c.chunk order by c.chunk
      loop
        insert into STORE."inbox_1" (kind, size, gone, rows) values (v_kind, v_size, v_gone, v_rows);
      end loop;
      v_size := null;
    end if;
  exception when others then
    v_kind := ''e'';
    v_size := 1;
    v_gone := null;
    v_rows := null;
  end;
  if v_size operator(pg_catalog.=) 0 then
    return null;
  end if;
  if v_size is not null then
    insert into STORE."inbox_1" (kind, size, gone, rows) values (v_kind, v_size, v_gone, v_rows);
  end if;
  v_moment := pg_catalog.set_config(''rostack.captured_HASH_1'', v_moment, true);
  return null;
end
';

revoke all on function STORE."capture_1_update"() from public;

create function STORE."capture_1_delete"() returns trigger security definer set enable_seqscan = off set plan_cache_mode = force_generic_plan set extra_float_digits = 1 set intervalstyle = 'iso_8601' set row_security = off language plpgsql as '<<capture>>
declare
  is_moved pg_catalog.bool;
  is_doubtful pg_catalog.bool;
  v_kind "char" := ''w'';
  v_size pg_catalog.int4;
  v_gone pg_catalog.text[];
  v_rows pg_catalog.text[];
  v_moment pg_catalog.text := extract(epoch from pg_catalog.statement_timestamp())::pg_catalog.text;
begin
  if TG_OP operator(pg_catalog.=) ''TRUNCATE'' then
    insert into STORE."inbox_1" (kind, size) values (''t'', 1);
    return null;
  end if;
  begin
    is_moved := false;
    is_doubtful := is_moved or coalesce(pg_catalog.current_setting(''rostack.captured_HASH_1'', true) operator(pg_catalog.=) v_moment, false);
    select pg_catalog.count(*), pg_catalog.array_agg(c.id) filter (where c.image is null),
        pg_catalog.array_agg(c.image) filter (where c.image is not null) into v_size, v_gone, v_rows from (select * from (select (r."id"::pg_catalog.text) as id, case when capture.is_doubtful then (select array[(t."id"::pg_catalog.text), t."station"::pg_catalog."text"::pg_catalog.text, t."height"::pg_catalog."float8"::pg_catalog.text, t."amount"::pg_catalog."numeric"::pg_catalog.text, t."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] from only APP."observations" t
    where (t."id") operator(pg_catalog.=) (r."id")
    and (t."id"::pg_catalog.text) operator(pg_catalog.=) (r."id"::pg_catalog.text)) end as image from old_table r) r limit 201) c;
    if v_size operator(pg_catalog.>) 200 then
      for v_size, v_gone, v_rows in
        select pg_catalog.count(*), pg_catalog.array_agg(c.id) filter (where c.image is null),
        pg_catalog.array_agg(c.image) filter (where c.image is not null) from (select (pg_catalog.row_number() over () operator(pg_catalog.-) 1) operator(pg_catalog./) 200 as chunk, r.* from (select (r."id"::pg_catalog.text) as id, case when capture.is_doubtful then (select array[(t."id"::pg_catalog.text), t."station"::pg_catalog."text"::pg_catalog.text, t."height"::pg_catalog."float8"::pg_catalog.text, t."amount"::pg_catalog."numeric"::pg_catalog.text, t."rev"::pg_catalog."int8"::pg_catalog.text]::pg_catalog.text[] from only APP."observations" t
    where (t."id") operator(pg_catalog.=) (r."id")
    and (t."id"::pg_catalog.text) operator(pg_catalog.=) (r."id"::pg_catalog.text)) end as image from old_table r) r) c group by c.chunk order by c.chunk
      loop
        insert into STORE."inbox_1" (kind, size, gone, rows) values (v_kind, v_size, v_gone, v_rows);
      end loop;
      v_size := null;
    end if;
  exception when others then
    v_kind := ''e'';
    v_size := 1;
    v_gone := null;
    v_rows := null;
  end;
  if v_size operator(pg_catalog.=) 0 then
    return null;
  end if;
  if v_size is not null then
    insert into STORE."inbox_1" (kind, size, gone, rows) values (v_kind, v_size, v_gone, v_rows);
  end if;
  v_moment := pg_catalog.set_config(''rostack.captured_HASH_1'', v_moment, true);
  return null;
end
';

revoke all on function STORE."capture_1_delete"() from public;

create trigger "rostack_1_HASH_row" after insert or update or delete on APP."observations" for each row execute function STORE."capture_1"();

alter table APP."observations" enable replica trigger "rostack_1_HASH_row";

create trigger "rostack_1_HASH_insert" after insert on APP."observations" referencing new table as new_table for each statement execute function STORE."capture_1_insert"();

create trigger "rostack_1_HASH_update" after update on APP."observations" referencing old table as old_table new table as new_table for each statement execute function STORE."capture_1_update"();

create trigger "rostack_1_HASH_delete" after delete on APP."observations" referencing old table as old_table for each statement execute function STORE."capture_1_delete"();

create trigger "rostack_1_HASH_truncate" after truncate on APP."observations" for each statement execute function STORE."capture_1"();

alter table APP."observations" enable always trigger "rostack_1_HASH_truncate";
