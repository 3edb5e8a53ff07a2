import { readFileSync, writeFileSync } from 'node:fs'
import { withBuiltIn } from './packaging/with-built-in.ts'
import { workspacePackages } from './packaging/workspace-package.ts'

/** Packages whose files are copied into one of ours. */
const copied = ['swagger-ui-dist', 'echarts']

/** Adds what is built into our packages to the bill of what is installed beside them. Takes both files: that bill, and one of all there is. */
const [billFile = '', wholeFile = ''] = process.argv.slice(2)
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const builtIn = [...workspacePackages().flatMap(({ inlined }) => [...inlined]), ...copied]
const bill = withBuiltIn(read(billFile), read(wholeFile), builtIn)
writeFileSync(billFile, `${JSON.stringify(bill, null, 2)}\n`)
