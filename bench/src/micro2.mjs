import Database from 'better-sqlite3'
import { rmSync } from 'node:fs'
const f='data/m2.db'; for (const s of ['','-wal','-shm']) rmSync(f+s,{force:true})
const w = new Database(f); w.pragma('journal_mode=WAL'); w.pragma('synchronous=FULL')
w.exec('create table t(id text unique, a, b, c)'); const i=w.prepare('insert into t values(?,?,?,?)'); w.exec('begin'); for (let k=0;k<10000;k++) i.run('r'+k,k,k,k); w.exec('commit')
const mk = (opts={}) => { const r = new Database(f,{readonly:!opts.rw}); if (opts.excl) r.pragma('locking_mode=EXCLUSIVE'); return { r, b: r.prepare('BEGIN'), c: r.prepare('COMMIT'), s: r.prepare('select * from t where id=?') } }
const bench = (name, fn, n=50000) => { for (let k=0;k<5000;k++) fn(k); const c0=process.cpuUsage(), t0=performance.now(); for (let k=0;k<n;k++) fn(k); const c=process.cpuUsage(c0); console.log(name.padEnd(40), 'cpu us/op', ((c.user+c.system)/n).toFixed(2), 'user', (c.user/n).toFixed(2), 'sys', (c.system/n).toFixed(2), 'wall', ((performance.now()-t0)*1000/n).toFixed(2)) }
const a = mk()
bench('select autocommit', k => a.s.get('r'+k%10000))
bench('begin; select; commit', k => { a.b.run(); a.s.get('r'+k%10000); a.c.run() })
bench('begin; 3 selects; commit', k => { a.b.run(); a.s.get('r'+k%10000); a.s.get('r'+k%10000);a.s.get('r'+k%10000); a.c.run() })
bench('begin; commit', k => { a.b.run(); a.c.run() })
a.b.run(); a.s.get('r1'); bench('select in open tx', k => a.s.get('r'+k%10000)); a.c.run()
const pool = [mk(), mk(), mk(), mk()]
bench('4 conns round robin begin select commit', k => { const a = pool[k%4]; a.b.run(); a.s.get('r'+k%10000); a.c.run() })
const o=w.prepare('begin immediate'), cc=w.prepare('commit'), sp=w.prepare('savepoint x'), rl=w.prepare('release x')
bench('writer: select autocommit', (()=>{const s=w.prepare('select * from t where id=?'); return k => s.get('r'+k%10000)})())
