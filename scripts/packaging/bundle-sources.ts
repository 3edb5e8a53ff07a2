import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { dataModule } from './data-module.ts'
import { openingChunksOf } from './opening-chunks.ts'
import type { Publication } from './publication.ts'
import { entryOf, publishedSpecifier } from './published-specifier.ts'
import { root, type WorkspacePackage } from './workspace-package.ts'
import { writeNotices } from './write-notices.ts'

/**
 * Writes the package's JavaScript with source maps to the folder `dist`: a file per entry, and what they share. Fewer
 * files start faster. Other packages stay outside, but for those that are inlined. `writtenTexts` has the texts of entries
 * of which there is no source, by their names.
 */
export async function bundleSources(
  ofPackage: WorkspacePackage,
  publication: Publication,
  {
    writtenTexts,
    dist,
  }: { readonly writtenTexts: ReadonlyMap<string, string>; readonly dist: string },
): Promise<void> {
  const { packages, opening } = publication
  const chunks = openingChunksOf(ofPackage, publication)
  const src = join(root, ofPackage.folder, 'src')
  const exported = [...ofPackage.subpaths.values()]
  const entries = [...exported.map((name) => [name, name] as const), ...ofPackage.run]
  const bundle = await rolldown({
    cwd: join(root, ofPackage.folder),
    input: Object.fromEntries(entries.map(([name, file]) => [name, join(src, `${file}.ts`)])),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], conditionNames: ['import', 'default'] },
    tsconfig: join(root, 'tsconfig.json'),
    plugins: [
      outside(ofPackage, packages, opening.lateSpecifiers),
      written(new Map([...writtenTexts].map(([name, text]) => [join(src, `${name}.ts`), text]))),
      evaluated([...ofPackage.evaluated].map((file) => join(src, `${file}.ts`))),
    ],
  })
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    sourcemap: true,
    // The sources in the maps and the declarations have them: a file without is read faster.
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: {
      groups: chunks.map(({ name, has }, index) => ({
        name,
        test: has,
        priority: chunks.length - index,
      })),
    },
  })
  await bundle.close()
  const files = output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []))
  writeNotices(dist, files)
}

/** Leaves other packages outside, but for those that are inlined; ours by the names that they are published with. */
function outside(
  ofPackage: WorkspacePackage,
  packages: readonly WorkspacePackage[],
  late: ReadonlySet<string>,
): Plugin {
  return {
    name: 'outside',
    resolveId: (id, importer = '') => {
      if (/^[./]/.test(id)) return null
      const owner = packages.find(({ inlined }) => inlined.has(id))
      // What is inlined brings what it needs itself.
      if (owner === ofPackage || (importer.includes('/node_modules/') && !isBuiltin(id)))
        return null
      if (owner) return { id: `${owner.name}/${entryOf(owner, id, late)}`, external: true }
      return { id: publishedSpecifier(packages, id, late) ?? id, external: true }
    },
  }
}

/** Gives these files their texts, though they aren't on the disk. */
function written(texts: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'written',
    resolveId: (id) => (texts.has(id) ? id : null),
    load: (id) => texts.get(id) ?? null,
  }
}

/** Puts what the files export in the place of their code: what needs that alone is loaded without what it is made of. */
function evaluated(files: readonly string[]): Plugin {
  return {
    name: 'evaluated',
    load: async (id) => (files.includes(id) ? dataModule(await import(id)) : null),
  }
}
