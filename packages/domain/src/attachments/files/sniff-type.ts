// Not `file-type`: the domain imports nothing, and what is told apart here is what decides how a file is served. It looks
// at the first bytes alone, in so many comparisons, whatever the bytes are.

/** Bytes from the beginning of a file that tell its type. */
export const sniffedBytes = 4_096

/** A type, and the bytes that say so: pairs of a place and a text of Latin letters, one byte each. */
type Signature = readonly [type: string, ...marks: (readonly [place: number, text: string])[]]

const signatures: readonly Signature[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/avif', [4, 'ftypavif']],
  ['image/avif', [4, 'ftypavis']],
  ['image/heic', [4, 'ftyphei']],
  ['image/heic', [4, 'ftypmif1']],
  ['image/bmp', [0, 'BM'], [6, '\0\0\0\0']],
  ['image/tiff', [0, 'II*\0']],
  ['image/tiff', [0, 'MM\0*']],
  ['image/x-icon', [0, '\0\0\x01\0']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['video/x-msvideo', [0, 'RIFF'], [8, 'AVI ']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/mpeg', [0, '\xff\xfb']],
  ['audio/flac', [0, 'fLaC']],
  ['audio/ogg', [0, 'OggS']],
  ['audio/mp4', [4, 'ftypM4A']],
  ['video/quicktime', [4, 'ftypqt']],
  ['video/mp4', [4, 'ftyp']],
  ['video/webm', [0, '\x1a\x45\xdf\xa3']],
  ['application/pdf', [0, '%PDF-']],
  ['application/zip', [0, 'PK\x03\x04']],
  ['application/zip', [0, 'PK\x05\x06']],
  ['application/gzip', [0, '\x1f\x8b']],
  ['application/x-bzip2', [0, 'BZh']],
  ['application/x-xz', [0, '\xfd7zXZ\0']],
  ['application/x-7z-compressed', [0, "7z\xbc\xaf'\x1c"]],
  ['application/vnd.rar', [0, 'Rar!\x1a\x07']],
  ['application/x-cfb', [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1']],
  ['application/vnd.sqlite3', [0, 'SQLite format 3\0']],
  ['application/x-msdownload', [0, 'MZ']],
  ['application/x-elf', [0, '\x7fELF']],
  ['application/wasm', [0, '\0asm']],
  ['font/woff', [0, 'wOFF']],
  ['font/woff2', [0, 'wOF2']],
]

const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

/** What a name may say of a file whose bytes are of the type: the bytes fit it, and nothing of it runs in a browser. */
const refinements: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'application/zip': {
    docx: `${office}.wordprocessingml.document`,
    xlsx: `${office}.spreadsheetml.sheet`,
    pptx: `${office}.presentationml.presentation`,
    odt: `${openDocument}.text`,
    ods: `${openDocument}.spreadsheet`,
    odp: `${openDocument}.presentation`,
    epub: 'application/epub+zip',
  },
  'application/x-cfb': {
    doc: 'application/msword',
    xls: 'application/vnd.ms-excel',
    ppt: 'application/vnd.ms-powerpoint',
    msg: 'application/vnd.ms-outlook',
  },
  'text/plain': {
    csv: 'text/csv',
    tsv: 'text/tab-separated-values',
    md: 'text/markdown',
    json: 'application/json',
    ics: 'text/calendar',
    vcf: 'text/vcard',
    js: 'text/javascript',
    css: 'text/css',
    html: 'text/html',
    htm: 'text/html',
    svg: 'image/svg+xml',
    xml: 'application/xml',
  },
}

/** Texts that browsers take for something to run, whatever the file is called: how they begin, in small letters. */
const markup: readonly (readonly [type: string, beginning: RegExp])[] = [
  ['image/svg+xml', /<svg[\s>]/],
  ['text/html', /<(?:!doctype html|html|head|body|script|iframe|img|a|div|style)[\s>]/],
  ['application/xml', /^<\?xml/],
]

/**
 * What a file is, by its first bytes; its name is asked only where they allow several types. A text that isn't known
 * to be more is `text/plain`, all else `application/octet-stream`. What it was promised to be stands where its name might
 * say the same.
 */
export function sniffType(head: Uint8Array, name: string, promised = ''): string {
  const bytes = head.subarray(0, sniffedBytes)
  const found = signatures.find(([, ...marks]) => marks.every((mark) => hasMark(bytes, mark)))
  const type = found ? found[0] : textTypeOf(bytes)
  const [, extension = ''] = /\.([0-9A-Za-z]{1,8})$/.exec(name) ?? []
  const refined = refinements[type]
  const key = extension.toLowerCase()
  if (refined && Object.values(refined).includes(promised)) return promised
  return refined && Object.hasOwn(refined, key) ? (refined[key] ?? type) : type
}

function hasMark(bytes: Uint8Array, [place, text]: readonly [number, string]): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[place + index] !== text.charCodeAt(index)) return false
  }
  return true
}

function textTypeOf(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) {
    // Texts have no control characters but tabs, ends of lines and pages, and escapes.
    if (byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27) return 'application/octet-stream'
    text += String.fromCharCode(byte)
  }
  const beginning = text
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .toLowerCase()
  const [type] = markup.find(([, form]) => form.test(beginning)) ?? []
  return type ?? 'text/plain'
}
