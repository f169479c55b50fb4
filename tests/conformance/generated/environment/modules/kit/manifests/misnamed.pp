class kit::other { notify { 'other': } }
