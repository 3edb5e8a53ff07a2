import D from 'better-sqlite3'
const d = new D(':memory:')
console.log(d.pragma('compile_options').map(x=>x.compile_options).join(' '))
d.exec(`create table a(id text primary key, b text, x text, y text, z text); create table b(id text primary key, s text, x text); insert into a values('a1','b1','xxxxxxxxxxxxxxxxxxx','yyyyyyyyyyyyyyyyy','zzzzzzzzzzz'); insert into b values('b1','s1','q')`)
const bench = (name, fn, n=100000) => { for (let k=0;k<5000;k++) fn(k); const c0=process.cpuUsage(); for (let k=0;k<n;k++) fn(k); const c=process.cpuUsage(c0); console.log(name.padEnd(40), 'cpu us/op', ((c.user+c.system)/n).toFixed(2)) }
const B = (name, sql, ...p) => { const st=d.prepare(sql); bench(name, ()=>st.get(...p)) }
d.exec('begin')
B('a.id', 'select id from a where id=?', 'a1')
B('a.*', 'select * from a where id=?', 'a1')
B('join ids', 'select a.id from a join b on b.id=a.b where a.id=?', 'a1')
B('join b.x', 'select b.x from a join b on b.id=a.b where a.id=?', 'a1')
B('join a.* b.x', 'select a.*, b.x as bx from a join b on b.id=a.b where a.id=?', 'a1')
B('subq', 'select a.id, (select x from b where id=a.b) from a where a.id=?', 'a1')
B('two separate', 'select x from b where id = (select b from a where id=?)', 'a1')
console.log('--- permanently bound')
{ const st = d.prepare('select a.id from a join b on b.id=a.b where a.id=?').bind('a1'); bench('join bound', () => st.get()) }
{ const st = d.prepare("select a.id from a join b on b.id=a.b where a.id='a1'"); bench('join literal', () => st.get()) }
B('left join', 'select a.id from a left join b on b.id=a.b where a.id=?', 'a1')
B('cross join', 'select a.id from a cross join b on b.id=a.b where a.id=?', 'a1')
B('+id', 'select a.id from a join b on b.id=+a.b where a.id=?', 'a1')
B('from subq limit', 'select x.id, b.x from (select * from a where id=? limit 1) x join b on b.id=x.b', 'a1')
B('from subq', 'select x.id, b.x from (select * from a where id=?) x join b on b.id=x.b', 'a1')
B('cte materialized', 'with x as materialized (select * from a where id=?) select x.id, b.x from x join b on b.id=x.b', 'a1')
B('id in json_each', 'select id from a where id in (select value from json_each(?))', '["a1"]')
B('id in (?)', 'select id from a where id in (?,?)', 'a1', 'a2')
B('range', 'select id from a where id > ? and id < ? limit 1', 'a', 'b')
B('range order', 'select id from a where id > ? order by id limit ?', 'a', 10)
