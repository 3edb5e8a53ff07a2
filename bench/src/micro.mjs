import Database from 'better-sqlite3'
import { rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
const abc='ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const rid = () => { const b = randomBytes(16); let s = 'rec'; for (let i=0;i<16;i++) s += abc[b[i]%62]; return s }
const N = 48000, B = 1000, C = 20
const sys = ['__id','__created_time','__last_modified_time','__created_by','__last_modified_by','__version']
const cols = [...sys, ...Array.from({length:C},(_, i)=>'f'+i)]
const mk = (i) => [rid(), '2026-11-20T14:54:38.662Z','2026-11-20T14:54:38.662Z','usrabcdefghijklmnop','usrabcdefghijklmnop',1, ...Array.from({length:C},(_, k)=> k<12 ? (k%3===0? 'TEXT'+(i%700) : (i*7+k)%1000/3) : null)]
function open(file, opts={}) {
  for (const s of ['','-wal','-shm']) rmSync(file+s,{force:true})
  const db = new Database(file); if (opts.page) db.pragma('page_size='+opts.page)
  db.pragma('journal_mode=WAL'); db.pragma('synchronous=FULL'); if (opts.cp) db.pragma('wal_autocheckpoint='+opts.cp); if (opts.cache) db.pragma('cache_size='+opts.cache)
  return db
}
const tdef = (db, opts={}) => db.exec(`create table t ("__id" text not null ${opts.nounique?'':'unique'}, "__auto_number" integer primary key autoincrement, "__created_time" text not null, "__last_modified_time" text not null, "__created_by" text not null, "__last_modified_by" text not null, "__version" integer not null, "__deletion_id" text, "__deleted_time" text, "__deleted_by" text, ${Array.from({length:C},(_, i)=>`f${i} ${i%3===0?'text':'real'}`)})`)
const q = (n) => Array.from({length:n},()=>'('+cols.map(()=>'?')+')').join()
const variants = {
  cte: (db) => { const st = db.prepare(`with v(${cols}) as (values ${q(250)}) insert into t (${cols}) select ${cols} from v returning __id, __auto_number`).raw(); return rows => { for (let i=0;i<rows.length;i+=250) st.all(rows.slice(i,i+250).flat()) } },
  valuesReturning: (db) => { const st = db.prepare(`insert into t (${cols}) values ${q(250)} returning __id, __auto_number`).raw(); return rows => { for (let i=0;i<rows.length;i+=250) st.all(rows.slice(i,i+250).flat()) } },
  values: (db) => { const st = db.prepare(`insert into t (${cols}) values ${q(250)}`); return rows => { for (let i=0;i<rows.length;i+=250) st.run(rows.slice(i,i+250).flat()) } },
  values32: (db) => { const st = db.prepare(`insert into t (${cols}) values ${q(25)}`); return rows => { for (let i=0;i<rows.length;i+=25) st.run(rows.slice(i,i+25).flat()) } },
  single: (db) => { const st = db.prepare(`insert into t (${cols}) values ${q(1)}`); return rows => { for (const r of rows) st.run(r) } },
  singleReturning: (db) => { const st = db.prepare(`insert into t (${cols}) values ${q(1)} returning __auto_number`).pluck(); return rows => { for (const r of rows) st.get(r) } },
  json: (db) => { const st = db.prepare(`insert into t (${cols}) select ${cols.map((_, i)=>`value->>${i}`)} from json_each(?)`); return rows => { st.run(JSON.stringify(rows)) } },
}
const run = (name, opts={}) => {
  const db = open('data/micro.db', opts); tdef(db, opts); const ins = variants[name](db)
  const I=[], Cm=[], W=[]
  const cpu = () => { const u = process.cpuUsage(); return (u.user+u.system)/1000 }
  for (let b=0;b<N/B;b++) { const rows = Array.from({length:B},(_, i)=>mk(b*B+i)); const w=performance.now(); const a=cpu(); db.exec('begin immediate'); ins(rows); const c=cpu(); db.exec('commit'); I.push(c-a); Cm.push(cpu()-c); W.push(performance.now()-w) }
  const q = (v, p) => [...v].sort((a,b)=>a-b)[Math.floor(v.length*p)].toFixed(2).padStart(6)
  console.log(name.padEnd(16), JSON.stringify(opts).padEnd(34), 'cpu insert p10/p50', q(I,.1), q(I,.5), 'commit', q(Cm,.1), q(Cm,.5), 'wall p10/p50', q(W,.1), q(W,.5))
  db.close()
}
for (let k=0;k<2;k++) { for (const v of Object.keys(variants)) run(v) }
run('single',{nounique:true}); run('single',{cp:10000}); run('single',{cp:4000});run('single',{cp:10000,page:8192}); run('single',{cp:10000,cache:-64000}); run('single',{page:8192}); run('single',{page:16384})
