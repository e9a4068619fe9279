// The page begins here.

import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { startWorker } from './lib/worker';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');
mount(App, { target });
startWorker();
