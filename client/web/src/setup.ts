// Before the tests of a file: the page speaks English.

import { prepare, speak } from './lib/locale.svelte';

await speak('en');
await prepare(['core', 'settings', 'race', 'hall', 'room', 'result', 'review', 'people', 'alone', 'almanac', 'rules', 'hanoi']);
