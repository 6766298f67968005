"""All words of Castle Danger: names of things, the words of each verb, the story, pictures."""
