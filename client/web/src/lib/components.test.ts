// What every component is held to: it says nothing of its own, paints with the design's colours, and knows no left or right.

import { parse } from 'svelte/compiler';
import { expect, it } from 'vitest';

const SOURCES = import.meta.glob<string>('../**/*.svelte', { query: '?raw', import: 'default', eager: true });
const MODULES = import.meta.glob<string>(['./*.ts', '!./*.test.ts', '!./protocol.ts', '!./colour.ts'], { query: '?raw', import: 'default', eager: true });

/** Attributes that are read out or shown. */
const SAID = /^(aria-(label|description|roledescription|valuetext|placeholder)|title|placeholder|alt|label|heading|action|confirm|start|subject)$/;
/** The loader speaks before there is a catalogue. */
const SPEAKS_FIRST = ['Lazy'];
/** Boards lie as they lie, peg 1 at the left, whatever way words run: what is placed on them is placed from there. */
const FROM_LEFT = ['Board', 'Disk', 'Celebration', 'MiniBoard', 'Table', 'Tower'];
/** What is the same in every language, or the protocol's own: names, keys, addresses, boards, and how a ghost is called. */
const NAMES = /Technomancer Sprint|Ghost of|\/watch\/|R2S1\/S2R1\/-\/- 7|ABCDE-FGHJK|\b(Esc|Enter|Ctrl|Shift|Home|End|Tab|R|U|M|N|H|S|ms|s|JSON|QR|UTC|SHA-256|HMAC-SHA256)\b/g;

interface Node {
  type: string;
  name?: string;
  data?: string;
  value?: unknown;
  expression?: Node;
}

/** The words of a component's markup that no catalogue holds. */
function wordsOf(source: string): string[] {
  const found: string[] = [];
  const text = (data: string): void => {
    if (/\p{L}/u.test(data.replace(NAMES, ''))) found.push(data.trim().replace(/\s+/g, ' '));
  };
  const visit = (node: unknown, isSaid: boolean): void => {
    if (Array.isArray(node)) {
      node.forEach((part) => visit(part, isSaid));
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const { type, name, data, value } = node as Node;
    if (type === 'Comment' || (type === 'NewExpression' && (node as { callee: Node }).callee.name === 'Error')) return;
    // Keys and codes are the same everywhere; styles are no words.
    if (type === 'RegularElement' && (name === 'code' || name === 'kbd')) return;
    if (type === 'StyleDirective' || (type === 'Attribute' && /^(style|transform|d|points|viewBox|class)$/.test(name ?? ''))) return;
    if (type === 'Attribute') {
      visit(value, SAID.test(name ?? ''));
      return;
    }
    if (type === 'Text') {
      if (isSaid) text(data ?? '');
      return;
    }
    // In an expression, a text that has a space between words is meant for people.
    if (type === 'Literal' && typeof value === 'string' && /\p{L} \p{L}/u.test(value)) text(value);
    if (type === 'TemplateElement') {
      const { raw } = value as { raw: string };
      if (/\p{L}{2,} \p{L}{2,}/u.test(raw)) text(raw);
    }
    const isMarkup = type === 'Fragment' ? true : isSaid;
    for (const [key, part] of Object.entries(node)) {
      if (key !== 'loc' && key !== 'metadata') visit(part, isMarkup);
    }
  };
  const { fragment, instance, module } = parse(source, { modern: true });
  visit(fragment, true);
  visit([instance?.content, module?.content], false);
  return found;
}

/** The style of a component without its comments. */
function styleOf(source: string): string {
  return (/<style>([\s\S]*)<\/style>/.exec(source)?.[1] ?? '').replace(/\/\*[\s\S]*?\*\//g, '');
}

const named = (names: readonly string[]) => (file: string): boolean => names.some((name) => file.endsWith(`/${name}.svelte`));
const ALL = Object.entries(SOURCES);

it.each(ALL.filter(([file]) => !named(SPEAKS_FIRST)(file)))('%s says nothing that is not in the catalogue', (_, source) => {
  expect(wordsOf(source)).toEqual([]);
});

it.each(ALL)('%s paints with the colours of the design', (_, source) => {
  const raw = /#[0-9a-f]{3,8}\b(?![^{]*\{)|\brgba?\((?!\s*from)|\bhsla?\(/gi;
  expect(styleOf(source).match(raw) ?? []).toEqual([]);
});

it.each(ALL.filter(([file]) => !named(FROM_LEFT)(file)))('%s is as good from right to left', (_, source) => {
  const physical =
    /(?<![\w-])(?:margin|padding|border|inset)-(?:left|right)\b|(?<![\w-])(?:left|right):|text-align: (?:left|right)|float: (?:left|right)|border-(?:top|bottom)-(?:left|right)-radius/g;
  expect(styleOf(source).match(physical) ?? []).toEqual([]);
});

it.each(Object.entries(MODULES))('%s says nothing that is not in the catalogue', (_, source) => {
  const found = wordsOf(`<script lang="ts">${source.replaceAll('</script>', '')}</script>`);
  expect(found).toEqual([]);
});
